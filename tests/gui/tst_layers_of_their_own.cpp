// SPDX-License-Identifier: GPL-3.0-or-later
//
// Thresholds of marked layers, layers that are left out, the share frozen at least harm, what would change
// the verdict, the sorted heatmap and compared profiles, in the real window.
#include "app/gui/actions.h"
#include "app/gui/comparison.h"
#include "app/gui/views.h"
#include "core/profile/profile_file.h"
#include "core/profile/sample_profile.h"
#include "tests/gui/window_fixture.h"
#include "widgets/heatmap_view.h"
#include "widgets/layer_filter.h"
#include "widgets/layers_table.h"
#include "widgets/threshold_control.h"
#include "widgets/threshold_panel.h"
#include "widgets/trend_view.h"
#include "widgets/verdict_card.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <qcustomplot.h>

using namespace permafrost;
using gui::MainWindow;
using widgets::LayersModel;

class TestLayersOfTheirOwn : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OwnSettings> settings_;
    std::unique_ptr<MainWindow> window_;
    profile::ProfilePtr profile_;

    gui::Session& session() { return window_->workbench().session(); }
    QTableView* table() { return window_->views().layers->view(); }
    std::uint32_t frozen(std::size_t layer) { return session().settle()->layers[layer].frozen; }
    void mark(std::initializer_list<int> rows) {
        table()->clearSelection();
        for (const int row : rows)
            table()->selectionModel()->select(table()->model()->index(row, 0),
                                              QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }

  private slots:
    void init() {
        settings_ = std::make_unique<test::OwnSettings>();
        window_ = std::make_unique<MainWindow>();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        profile_ = profile::sample_profile(8, 512, 5);
        session().set_profile(profile_);
        session().settle();
        QTRY_COMPARE(table()->model()->rowCount(), 8);
    }
    void cleanup() {
        window_.reset();
        settings_.reset();
    }

    void marked_layers_get_thresholds_of_their_own() {
        const auto before = session().settle();
        mark({2, 3});
        auto* scope = window_->findChild<QComboBox*>(QStringLiteral("threshold.scope"));
        scope->setCurrentIndex(1);
        Q_EMIT scope->activated(1);
        auto* box = window_->views().thresholds->control(widgets::RuleField::Variance)->box();
        box->setValue(1);
        QVERIFY(frozen(2) != before->layers[2].frozen || frozen(3) != before->layers[3].frozen);
        QCOMPARE(frozen(1), before->layers[1].frozen);
        QCOMPARE(session().rule().variance_threshold, 0.01);
        QCOMPARE(session().rule().layer_rules.size(), std::size_t{2});
        QCOMPARE(table()->model()->index(2, LayersModel::Own).data().toString(),
                 QStringLiteral("variance=1"));
        session().undo_stack()->undo();
        QVERIFY(session().rule().layer_rules.empty());
        session().undo_stack()->redo();
        QTest::mouseClick(window_->findChild<QPushButton*>(QStringLiteral("threshold.follow")),
                          Qt::LeftButton);
        QVERIFY(session().rule() == masks::FreezeRule{});
    }

    void a_layer_without_its_tick_is_left_out() {
        QVERIFY(frozen(7) > 0);
        QVERIFY(table()->model()->setData(table()->model()->index(7, 0), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(frozen(7), 0u);
        QVERIFY(frozen(6) > 0);
        session().undo_stack()->undo();
        QVERIFY(frozen(7) > 0);
    }

    void a_range_of_layers_can_be_widened_by_a_tick() {
        auto rule = session().rule();
        rule.layers = {{4, 6}};
        session().edit_rule(rule, QStringLiteral("range"));
        QCOMPARE(frozen(7), 0u);
        QVERIFY(table()->model()->setData(table()->model()->index(7, 0), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(frozen(7) > 0);
        QVERIFY(frozen(5) > 0);
        QCOMPARE(frozen(3), 0u);
    }

    /// Dragging under a filter must change neither the selected layer nor what the thresholds are for.
    void rows_that_a_drag_filters_away_stay_marked() {
        session().select({.layer = 6, .neuron = {}});
        mark({6, 7});
        window_->findChild<QLineEdit*>(QStringLiteral("layers.filter"))
            ->setText(QStringLiteral("frozen > 1"));
        auto* scope = window_->findChild<QComboBox*>(QStringLiteral("threshold.scope"));
        scope->setCurrentIndex(1);
        Q_EMIT scope->activated(1);
        const auto marked = window_->views().thresholds->scope();
        QVERIFY(!marked.layers.empty());
        auto rule = session().rule();
        rule.variance_threshold = 0;
        session().edit_rule(rule, QStringLiteral("drag"));
        session().settle();
        QCOMPARE(table()->model()->rowCount(), 0);
        QVERIFY(window_->views().thresholds->scope() == marked);
        QCOMPARE(session().selection().layer, 6u);
    }

    void history_names_layers_and_value() {
        mark({2, 3});
        auto* scope = window_->findChild<QComboBox*>(QStringLiteral("threshold.scope"));
        scope->setCurrentIndex(1);
        Q_EMIT scope->activated(1);
        window_->views().thresholds->control(widgets::RuleField::Variance)->box()->setValue(0.5);
        QCOMPARE(session().undo_stack()->undoText(),
                 QStringLiteral("Variance below, layers 2–3: 0.5\u00a0h²"));
    }

    void the_table_is_filtered() {
        auto* filter = window_->findChild<QLineEdit*>(QStringLiteral("layers.filter"));
        filter->setText(QStringLiteral("2-4, 7"));
        QCOMPARE(table()->model()->rowCount(), 4);
        filter->setText(QStringLiteral("frozen > 15"));
        int expected = 0;
        for (const auto& layer : session().settle()->layers) expected += layer.frozen_share > 0.15;
        QVERIFY(expected > 0 && expected < 8);
        QCOMPARE(table()->model()->rowCount(), expected);
        for (const char* nonsense : {"nonsense", "frozen >", "> 5", "own > 0", "1-"}) {
            filter->setText(QString::fromLatin1(nonsense));
            QCOMPARE(table()->model()->rowCount(), 8);
        }
    }

    void a_share_is_frozen_at_least_harm() {
        window_->findChild<widgets::NumberBox*>(QStringLiteral("threshold.target"))->setValue(10);
        const auto* share = window_->findChild<QPushButton*>(QStringLiteral("threshold.solve"));
        QTest::mouseClick(const_cast<QPushButton*>(share), Qt::LeftButton);
        QTRY_COMPARE(session().rule().method, masks::FreezeRule::Method::Impact);
        QCOMPARE(session().settle()->frozen, std::uint64_t{8 * 512 / 10});
    }

    void the_card_says_what_would_change_the_verdict_and_that_is_so() {
        const auto changes = widgets::verdict_changes(*profile_, *session().settle());
        QVERIFY(!changes.empty());
        for (const auto& change : changes) {
            const auto there = widgets::with_value(session().rule(), change.field, change.value);
            QCOMPARE(verdict::decide(*profile_, there).verdict, change.verdict);
            QVERIFY(change.verdict != session().decision()->verdict);
        }
        const auto* sentence = window_->findChild<QLabel*>(QStringLiteral("verdict.sentence"));
        QTRY_VERIFY(sentence->text().contains(QStringLiteral("it becomes")));
    }

    void the_heatmap_is_sorted_and_finds_its_neurons_again() {
        widgets::HeatmapData data;
        for (const auto metric : {widgets::Metric::Variance, widgets::Metric::Frozen}) {
            data.set(profile_, session().settle(), metric, widgets::NeuronOrder::Metric);
            for (std::uint32_t place = 0; place < 512; ++place) {
                const auto neuron = data.neuron_at(6, place);
                QCOMPARE(data.position_of(6, neuron), place);
                if (place > 0) QVERIFY(data.value(6, data.neuron_at(6, place - 1)) >= data.value(6, neuron));
            }
        }
        const auto bins = data.bins(0, 511, 512, widgets::Pooling::Largest);
        for (std::size_t column = 0; column < 512; ++column)
            QCOMPARE(bins.at(6, column), column < session().decision()->layers[6].frozen ? 1.0F : 0.0F);
    }

    void other_profiles_are_laid_over_the_trend() {
        const test::TemporaryFolder folder;
        const auto path = folder.path() / "other.frost";
        QVERIFY(profile::write_profile(*profile::sample_profile(8, 256, 6), path).ok());
        auto* plot = window_->views().trend->plot();
        const int before = plot->graphCount();
        window_->comparison().add(QString::fromStdString(path.string()));
        QTRY_COMPARE(plot->graphCount(), before + 1);
        window_->comparison().clear();
        QTRY_COMPARE(plot->graphCount(), before);
        for (const auto quantity : {widgets::TrendQuantity::Variance, widgets::TrendQuantity::Activity}) {
            window_->views().trend->set_quantity(quantity);
            QTest::qWait(20);
            QVERIFY(plot->yAxis2->range().upper > plot->yAxis2->range().lower);
        }
    }
};

QTEST_MAIN(TestLayersOfTheirOwn)
#include "tst_layers_of_their_own.moc"
