// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list and the scatter of a layer's neurons in the real window.
#include "app/gui/actions.h"
#include "app/gui/views.h"
#include "core/profile/sample_profile.h"
#include "tests/gui/window_fixture.h"
#include "widgets/heatmap_view.h"
#include "widgets/layer_view.h"
#include "widgets/neurons_model.h"
#include "widgets/neurons_table.h"
#include "widgets/scatter_view.h"

#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <qcustomplot.h>

#include <cmath>

using namespace permafrost;
using gui::MainWindow;
using widgets::NeuronsModel;

class TestLayerDetail : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OwnSettings> settings_;
    std::unique_ptr<MainWindow> window_;

    gui::Session& session() { return window_->workbench().session(); }
    widgets::LayerView& layer() { return *window_->views().layer; }
    NeuronsModel& model() { return *layer().neurons()->findChild<NeuronsModel*>(); }
    const profile::LayerProfile& statistics() {
        return *session().profile()->layers[session().selection().layer];
    }
    const masks::LayerMask& mask() { return session().decision()->masks[session().selection().layer]; }

    void show_page(const char* tabs, int page) {
        auto* widget = window_->findChild<QTabWidget*>(QString::fromLatin1(tabs));
        QVERIFY(widget);
        widget->setCurrentIndex(page);
    }

  private slots:
    void init() {
        settings_ = std::make_unique<test::OwnSettings>();
        window_ = std::make_unique<MainWindow>();
        session().set_profile(profile::sample_profile(6, 3000, 4));
        session().settle();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        window_->views().tabs->setCurrentIndex(1);
        // The window shows the start page as long as nothing was opened.
        Q_EMIT window_->workbench().state_changed();
        show_page("layer.plots", 1);
        show_page("layer.lists", 1);
        session().select({3, {}});
        QTRY_COMPARE(model().rowCount(), 3000);
    }
    void cleanup() {
        window_.reset();
        settings_.reset();
    }

    void sections_of_the_heatmap_go_back_and_forward() {
        window_->views().tabs->setCurrentIndex(0);
        auto* heatmap = window_->views().heatmap;
        const auto section = [&] { return heatmap->plot()->xAxis->range(); };
        QTest::qWait(350); // a section counts when it stood still
        const auto whole = section();
        heatmap->zoom(0.5);
        QTest::qWait(350);
        const auto half = section();
        heatmap->zoom(0.5); // not yet still
        const auto quarter = section();
        window_->actions().back->trigger();
        QCOMPARE(section(), half);
        window_->actions().back->trigger();
        QCOMPARE(section(), whole);
        window_->actions().back->trigger(); // there is nothing before
        QCOMPARE(section(), whole);
        window_->actions().forward->trigger();
        window_->actions().forward->trigger();
        QCOMPARE(section(), quarter);
        window_->actions().back->trigger();
        heatmap->fit(); // what came after is left behind
        QTest::qWait(350);
        window_->actions().forward->trigger();
        QCOMPARE(section(), whole);
        window_->actions().back->trigger();
        QCOMPARE(section(), half);
    }

    void every_column_sorts() {
        for (int column = 0; column < model().columnCount(); ++column)
            for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                layer().neurons()->view()->sortByColumn(column, order);
                QCOMPARE(model().rowCount(), 3000);
                if (column == NeuronsModel::State) continue;
                for (int row = 1; row < 3000; ++row) {
                    const double before =
                        model().index(row - 1, column).data(NeuronsModel::SortRole).toDouble();
                    const double here = model().index(row, column).data(NeuronsModel::SortRole).toDouble();
                    QVERIFY(order == Qt::AscendingOrder ? before <= here : before >= here);
                }
            }
    }

    void the_search_leaves_what_it_says_data() {
        QTest::addColumn<QString>("search");
        for (const char* search :
             {"frozen", "guarded", "active", "variance<0.001", "rms > 0.5", "active variance<0.01",
              "low-activity>80", "neuron<10", "neuron>2990 frozen"})
            QTest::newRow(search) << search;
    }
    void the_search_leaves_what_it_says() {
        QFETCH(QString, search);
        layer().neurons()->search()->setText(search);
        std::size_t expected = 0;
        const auto edge = static_cast<std::size_t>(profile::magnitude_bins::edge_at_or_below(0.1));
        for (std::uint32_t i = 0; i < 3000; ++i) {
            const bool frozen = mask().frozen.test(i), guarded = mask().guarded.test(i);
            const double variance = static_cast<double>(statistics().variance()[i]);
            const double low =
                static_cast<double>(statistics().below(edge)[i]) / static_cast<double>(statistics().count(i));
            expected += search == QStringLiteral("frozen")           ? frozen
                        : search == QStringLiteral("guarded")        ? guarded
                        : search == QStringLiteral("active")         ? !frozen && !guarded
                        : search == QStringLiteral("variance<0.001") ? variance < 0.001
                        : search == QStringLiteral("rms > 0.5")      ? statistics().rms()[i] > 0.5F
                        : search == QStringLiteral("active variance<0.01")
                            ? !frozen && !guarded && variance < 0.01
                        : search == QStringLiteral("low-activity>80") ? low > 0.8
                        : search == QStringLiteral("neuron<10")       ? i < 10
                                                                      : i > 2990 && frozen;
        }
        QVERIFY(std::abs(model().rowCount() - static_cast<int>(expected)) <=
                (search.startsWith(u"low") ? 3 : 0));
        QVERIFY(model().rowCount() < 3000);
    }

    void what_is_not_understood_changes_nothing() {
        layer().neurons()->search()->setText(QStringLiteral("frozen"));
        const int before = model().rowCount();
        for (const char* search : {"frozen x", "variance<", "<3", "colour>2", "frozen variance<abc"}) {
            layer().neurons()->search()->setText(QString::fromLatin1(search));
            QCOMPARE(model().rowCount(), before);
        }
        layer().neurons()->search()->clear();
        QCOMPARE(model().rowCount(), 3000);
    }

    void selection_goes_both_ways() {
        layer().neurons()->view()->sortByColumn(NeuronsModel::FirstMetric, Qt::DescendingOrder);
        session().select({3, 1234});
        const auto current = layer().neurons()->view()->currentIndex();
        QCOMPARE(model().neuron_at(current.row()), 1234u);
        layer().neurons()->view()->setCurrentIndex(model().index(0, 0));
        QCOMPARE(*session().selection().neuron, model().neuron_at(0));
        session().select({5, 7});
        QTRY_COMPARE(model().neuron_at(layer().neurons()->view()->currentIndex().row()), 7u);
    }

    void the_list_follows_the_thresholds() {
        layer().neurons()->search()->setText(QStringLiteral("frozen"));
        QCOMPARE(model().rowCount(), static_cast<int>(mask().frozen.count()));
        session().edit_rule(masks::parse_rule("impact:0.5").value(), QStringLiteral("test"));
        session().settle();
        QCOMPARE(model().rowCount(), static_cast<int>(mask().frozen.count()));
        QVERIFY(model().rowCount() > 1000);
    }

    void the_scatter_has_every_neuron_and_its_edges_drag() {
        auto* plot = layer().scatter()->plot();
        QTRY_COMPARE(plot->graph(0)->data()->size() + plot->graph(1)->data()->size() +
                         plot->graph(2)->data()->size(),
                     3000);
        QCOMPARE(plot->graph(2)->data()->size(), static_cast<int>(mask().frozen.count()));
        plot->replot();
        const auto drag = [&](const QPoint& from, const QPoint& to) {
            QTest::mousePress(plot, Qt::LeftButton, {}, from);
            QTest::mouseMove(plot, (from + to) / 2);
            QTest::mouseMove(plot, to);
            QTest::mouseRelease(plot, Qt::LeftButton, {}, to);
        };
        const int middle = plot->axisRect()->top() + 20;
        const auto x = [&](double variance) { return qRound(plot->xAxis->coordToPixel(variance)); };
        const int steps = session().undo_stack()->count();
        drag({x(session().rule().variance_threshold), middle}, {x(0.1), middle});
        QVERIFY2(std::fabs(session().rule().variance_threshold / 0.1 - 1) < 0.05,
                 qPrintable(QString::number(session().rule().variance_threshold)));
        const int column = plot->axisRect()->left() + 20;
        const auto y = [&](double mean) { return qRound(plot->yAxis->coordToPixel(mean)); };
        session().settle();
        QTest::qWait(20);
        drag({column, y(session().rule().gradient_threshold)}, {column, y(0.01)});
        QVERIFY2(std::fabs(session().rule().gradient_threshold / 0.01 - 1) < 0.05,
                 qPrintable(QString::number(session().rule().gradient_threshold)));
        QCOMPARE(session().undo_stack()->count(), steps + 2); // one a drag
    }

    void a_click_in_the_scatter_selects() {
        auto* plot = layer().scatter()->plot();
        QTRY_VERIFY(plot->graph(0)->data()->size() > 0);
        plot->replot();
        const auto point = plot->graph(0)->data()->constBegin();
        const QPoint place(qRound(plot->xAxis->coordToPixel(point->key)),
                           qRound(plot->yAxis->coordToPixel(point->value)));
        QTest::mouseClick(plot, Qt::LeftButton, {}, place);
        QVERIFY(session().selection().neuron.has_value());
    }
};

QTEST_MAIN(TestLayerDetail)
#include "tst_layer_detail.moc"
