// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures and numbers of every plot and table leave the real window.
#include "app/gui/run_panel.h"
#include "app/gui/views.h"
#include "tests/gui/window_fixture.h"
#include "widgets/export_menu.h"
#include "widgets/heatmap_view.h"
#include "widgets/layers_table.h"
#include "widgets/sweep_view.h"
#include "widgets/trend_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QFile>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <qcustomplot.h>

using namespace permafrost;
using gui::MainWindow;
using widgets::ExportMenu;
using widgets::TextTable;

class TestExportMenu : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OwnSettings> settings_;
    std::unique_ptr<test::TemporaryFolder> folder_;
    std::unique_ptr<MainWindow> window_;

    QString path(const char* name) const { return QString::fromStdString((folder_->path() / name).string()); }
    static QByteArray content(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static QAction* action(const QWidget* target, const char* id) {
        for (auto* action : target->actions())
            if (action->objectName() == QLatin1String(id)) return action;
        return nullptr;
    }

  private slots:
    void initTestCase() {
        settings_ = std::make_unique<test::OwnSettings>();
        folder_ = std::make_unique<test::TemporaryFolder>();
        window_ = std::make_unique<MainWindow>();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        window_->workbench().open(test::small_model(*folder_));
        QTRY_VERIFY(window_->workbench().model());
        gui::RunRequest request;
        request.most_prompts = 2;
        request.context = 64;
        QSignalSpy finished(&window_->workbench(), &gui::Workbench::run_finished);
        window_->workbench().start(request);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 120'000);
        window_->workbench().session().settle();
        QTRY_VERIFY(window_->views().trend->plot()->graph(0)->data()->size() > 0);
    }
    void cleanupTestCase() {
        window_.reset();
        folder_.reset();
        settings_.reset();
    }

    void every_plot_has_a_menu_and_gives_every_kind_of_picture() {
        const auto plots = window_->findChildren<QCustomPlot*>();
        QVERIFY(plots.size() >= 5);
        for (auto* plot : plots) {
            QCOMPARE(plot->contextMenuPolicy(), Qt::ActionsContextMenu);
            for (const char* id : {"export.save_picture", "export.copy_picture", "export.print",
                                   "export.save_csv", "export.copy_text", "export.show_table"})
                QVERIFY2(action(plot, id), qPrintable(plot->objectName()));
            QVERIFY2(!plot->accessibleName().isEmpty(), qPrintable(plot->objectName()));
            QVERIFY(ExportMenu::save_picture(*plot, path("plot.png")));
            QVERIFY(content(path("plot.png")).startsWith("\x89PNG"));
            QVERIFY(ExportMenu::save_picture(*plot, path("plot.pdf")));
            QVERIFY(content(path("plot.pdf")).startsWith("%PDF"));
            QVERIFY(ExportMenu::save_picture(*plot, path("plot.svg")));
            const auto svg = content(path("plot.svg"));
            QVERIFY(svg.contains("<svg"));
            const auto label = plot->xAxis->label().toHtmlEscaped().toUtf8();
            QVERIFY2(svg.contains(label), qPrintable(plot->objectName() + plot->xAxis->label()));
        }
    }

    void what_cannot_be_written_is_told() {
        auto* plot = window_->views().trend->plot();
        QVERIFY(!ExportMenu::save_picture(*plot, path("none/plot.png")));
        QVERIFY(!ExportMenu::save_picture(*plot, path("none/plot.svg")));
        QVERIFY(!ExportMenu::save_csv({}, path("none/plot.csv")));
    }

    void numbers_are_those_of_the_curves() {
        auto* plot = window_->views().trend->plot();
        const auto& decision = *window_->workbench().session().decision();
        // The view draws when the event loop comes to it.
        const auto drawn = [&] {
            for (std::size_t layer = 0; layer < decision.layers.size(); ++layer)
                if (plot->graph(0)->data()->at(static_cast<int>(layer))->value !=
                    decision.layers[layer].frozen_share * 100)
                    return false;
            return true;
        };
        QTRY_VERIFY(drawn());
        const auto table = widgets::table_of(*plot);
        QCOMPARE(table.rows.size(), decision.layers.size());
        QVERIFY(table.headings.size() >= 4);
        for (std::size_t layer = 0; layer < table.rows.size(); ++layer) {
            QCOMPARE(table.rows[layer].size(), table.headings.size());
            QCOMPARE(table.rows[layer][0], QString::number(layer));
            QCOMPARE(table.rows[layer][1].toDouble(), decision.layers[layer].frozen_share * 100);
        }
        action(plot, "export.copy_text")->trigger();
        QCOMPARE(QApplication::clipboard()->text(), table.tab_separated());
    }

    void the_heatmap_gives_its_cells() {
        const auto& view = *window_->views().heatmap;
        const auto table = view.table();
        QCOMPARE(table.rows.size(), std::size_t{view.data().layers()});
        const auto& mask = window_->workbench().session().decision()->masks[2].frozen;
        double sum = 0;
        const qsizetype columns = table.headings.size() - 1;
        for (qsizetype column = 1; column <= columns; ++column) sum += table.rows[2][column].toDouble();
        if (columns == static_cast<qsizetype>(mask.size())) QCOMPARE(sum, static_cast<double>(mask.count()));
        QVERIFY(columns > 64);
    }

    void csv_quotes_what_needs_it() {
        const TextTable table{{QStringLiteral("a,b"), QStringLiteral("say \"x\"")},
                              {{QStringLiteral("1"), QStringLiteral("two\nlines")}}};
        QCOMPARE(table.csv(), QStringLiteral("\"a,b\",\"say \"\"x\"\"\"\r\n1,\"two\nlines\"\r\n"));
        QCOMPARE(widgets::plain_number(0.1), QStringLiteral("0.1"));
        QCOMPARE(widgets::plain_number(std::nan("")), QString());
    }

    void the_layers_table_is_saved_as_sorted() {
        auto* layers = window_->views().layers;
        layers->view()->sortByColumn(0, Qt::DescendingOrder);
        const auto table = layers->table();
        QCOMPARE(table.rows.front()[0].toInt(), static_cast<int>(table.rows.size()) - 1);
        QVERIFY(ExportMenu::save_csv(table, path("layers.csv")));
        QCOMPARE(content(path("layers.csv")).count('\n'), static_cast<qsizetype>(table.rows.size()) + 1);
        QVERIFY(action(layers->view(), "export.save_csv"));
    }

    void a_plot_is_shown_as_a_table() {
        auto* plot = window_->views().trend->plot();
        action(plot, "export.show_table")->trigger();
        auto* dialog = window_->findChild<QDialog*>(QStringLiteral("export.table"));
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->isVisible());
        const auto* view = dialog->findChild<QTableView*>();
        QCOMPARE(view->model()->rowCount(),
                 static_cast<int>(window_->workbench().session().decision()->layers.size()));
        dialog->close();
    }
};

QTEST_MAIN(TestExportMenu)
#include "tst_export_menu.moc"
