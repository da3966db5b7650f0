// SPDX-License-Identifier: GPL-3.0-or-later
//
// The benchmark dock of the real window: it times the open model's layers, is stopped at once, keeps what it measured, and says when
// the mask has changed since. No time is asserted.
#include "app/gui/actions.h"
#include "app/gui/benchmark_job.h"
#include "app/gui/docks.h"
#include "app/gui/quality_job.h"
#include "app/gui/run_panel.h"
#include "app/gui/views.h"
#include "core/masks/mask_identity.h"
#include "core/quality/masked_model.h"
#include "tests/gui/window_fixture.h"
#include "widgets/benchmark_plot.h"
#include "widgets/benchmark_table.h"
#include "widgets/benchmark_view.h"
#include "widgets/numbers.h"
#include "widgets/quality_view.h"
#include "widgets/verdict_card.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <qcustomplot.h>

using namespace permafrost;
using gui::MainWindow;
using widgets::BenchmarkRow;
using widgets::BenchmarkTable;
using widgets::BenchmarkWay;

namespace {

constexpr int long_enough = 120'000;

} // namespace

class TestBenchmark : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OwnSettings> settings_;
    std::unique_ptr<test::TemporaryFolder> folder_;
    std::unique_ptr<MainWindow> window_;

    gui::Session& session() { return window_->workbench().session(); }
    widgets::BenchmarkView& view() { return *window_->views().benchmark; }
    gui::BenchmarkJob& job() { return *window_->findChild<gui::BenchmarkJob*>(); }
    template <class Widget>
    Widget* find(const char* name) {
        return window_->findChild<Widget*>(QString::fromLatin1(name));
    }
    QString text(const char* label) { return find<QLabel>(label)->text(); }

    void open() {
        window_->workbench().open(test::small_model(*folder_));
        QTRY_VERIFY(window_->workbench().model());
    }
    void profile() {
        open();
        gui::RunRequest request;
        request.most_prompts = 2;
        request.context = 32;
        request.threads = 1;
        QSignalSpy finished(&window_->workbench(), &gui::Workbench::run_finished);
        window_->workbench().start(request);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, long_enough);
        freeze("impact:0.2");
    }
    void freeze(const char* rule) {
        session().begin_gesture();
        auto edited = masks::parse_rule(rule).value();
        edited.guard = false;
        session().edit_rule(edited, QString::fromLatin1(rule));
        session().settle();
    }
    void show_dock() {
        window_->docks().benchmark->raise();
        QTRY_VERIFY(view().isVisible());
    }
    void measure() {
        show_dock();
        QTRY_VERIFY(job().obstacle().isEmpty());
        auto* begin = find<QPushButton>("benchmark.begin");
        QTest::mouseClick(begin->isVisible() ? begin : find<QPushButton>("benchmark.measure"),
                          Qt::LeftButton);
        QVERIFY(job().is_measuring());
        QTRY_VERIFY_WITH_TIMEOUT(!job().is_measuring(), long_enough);
    }
    std::vector<BenchmarkRow> rows_of(BenchmarkWay way) {
        std::vector<BenchmarkRow> found;
        for (const auto& row : view().table()->rows())
            if (row.way == way) found.push_back(row);
        return found;
    }

  private slots:
    void init() {
        settings_ = std::make_unique<test::OwnSettings>();
        folder_ = std::make_unique<test::TemporaryFolder>();
        QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively();
        window_ = std::make_unique<MainWindow>();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        find<QComboBox>("benchmark.repeats")->setCurrentIndex(0);
    }
    void cleanup() {
        window_.reset();
        folder_.reset();
        settings_.reset();
    }

    void says_what_is_missing_and_offers_to_measure() {
        show_dock();
        QVERIFY(text("benchmark.empty").contains(QStringLiteral("Open a model")));
        QVERIFY(!find<QPushButton>("benchmark.begin")->isEnabled());
        QVERIFY(!window_->actions().benchmark->isEnabled());
        open();
        QTRY_VERIFY(find<QPushButton>("benchmark.begin")->isEnabled());
        QVERIFY(text("benchmark.empty").contains(QStringLiteral("Nothing was measured")));
        QVERIFY(window_->actions().benchmark->isEnabled());
    }

    void a_model_without_a_profile_is_timed_without_a_mask() {
        open();
        measure();
        QCOMPARE(view().table()->rows().size(), std::size_t{2 + 5 + 5 + 2});
        QCOMPARE(rows_of(BenchmarkWay::Width).size(), std::size_t{2});
        for (const auto& row : view().table()->rows()) QVERIFY(!row.is_of_a_mask());
    }

    void it_begins_by_itself_when_the_program_was_asked_to() {
        window_->benchmark_when_open();
        open();
        QTRY_VERIFY(job().is_measuring());
        QTRY_VERIFY_WITH_TIMEOUT(!job().is_measuring(), long_enough);
        QVERIFY(!view().table()->rows().empty());
        find<QComboBox>("benchmark.tokens")->setCurrentIndex(1);
        QVERIFY(!job().is_measuring()); // once
    }

    void measures_the_present_mask_and_shares() {
        profile();
        QCOMPARE(text("verdict.measured"), QStringLiteral("not measured"));
        QVERIFY(find<QPushButton>("verdict.measure")->isVisible());
        measure();
        QCOMPARE(view().table()->rows().size(), std::size_t{2 + 2 + 5 + 5 + 2});
        const auto masked = rows_of(BenchmarkWay::Masked);
        QCOMPARE(masked.size(), std::size_t{6});
        const auto& present = masked.front();
        QCOMPARE(present.mask, masks::mask_identity(quality::masks_of(*session().decision())));
        QCOMPARE(present.frozen_share, session().decision()->frozen_share);
        QVERIFY(std::abs(present.ideal - 1 / (1 - present.frozen_share)) < 1e-9);
        for (const auto& row : view().table()->rows()) {
            QVERIFY(row.speed.seconds > 0 && row.speed.speedup > 0);
            QVERIFY(row.share_of_limit() > 0);
            QCOMPARE(row.conditions, view().conditions());
        }
        auto* plot = view().plot()->plot();
        QCOMPARE(plot->graph(1)->dataCount(), 6);         // masked
        QCOMPARE(plot->graph(2)->dataCount(), 6);         // compacted
        QCOMPARE(plot->graph(3)->dataCount(), 2);         // rings of the present mask
        for (const auto& point : *plot->graph(0)->data()) // the ideal curve
            QVERIFY(std::abs(point.value - 1 / (1 - point.key / 100)) < 1e-9);
    }

    void the_verdict_card_shows_the_measured_speedup() {
        profile();
        QTest::mouseClick(find<QPushButton>("verdict.measure"), Qt::LeftButton);
        QVERIFY(job().is_measuring());
        QTRY_VERIFY(view().isVisible()); // its dock came to the front
        QTRY_VERIFY_WITH_TIMEOUT(!job().is_measuring(), long_enough);
        QCOMPARE(view().table()->rows().size(), std::size_t{2 + 2}); // the mask alone
        const double better = std::max(rows_of(BenchmarkWay::Masked).front().speed.speedup,
                                       rows_of(BenchmarkWay::Compacted).front().speed.speedup);
        QCOMPARE(text("verdict.measured"), widgets::factor(better));
        QVERIFY(text("verdict.measured.note").startsWith(QStringLiteral("FFN measured, generating")));
        const double share = job().results()->ffn_share;
        QVERIFY(share > 0 && share < 1);
        QVERIFY(text("verdict.measured.note").contains(widgets::factor(1 / (1 - share + share / better))));
        QVERIFY(!find<QPushButton>("verdict.measure")->isVisible());
    }

    void another_mask_makes_it_stale_and_going_back_makes_it_true_again() {
        profile();
        measure();
        const auto figure = text("verdict.measured");
        freeze("impact:0.4");
        QVERIFY(text("verdict.measured.note").contains(QStringLiteral("the mask has changed since")));
        QVERIFY(find<QPushButton>("verdict.measure")->isVisible());
        QVERIFY(text("benchmark.sentence").contains(QStringLiteral("changed since it was measured")));
        const auto row = rows_of(BenchmarkWay::Masked).front();
        QVERIFY(widgets::name_of(row, {}).contains(QStringLiteral("earlier mask")));
        QCOMPARE(view().plot()->plot()->graph(3)->dataCount(), 0);
        session().undo_stack()->undo();
        session().settle();
        QCOMPARE(text("verdict.measured"), figure);
        QVERIFY(text("verdict.measured.note").startsWith(QStringLiteral("FFN measured")));
        QVERIFY(!find<QPushButton>("verdict.measure")->isVisible());
        QCOMPARE(view().plot()->plot()->graph(3)->dataCount(), 2);
    }

    void it_is_stopped_at_once_and_keeps_what_was_complete() {
        profile();
        show_dock();
        find<QComboBox>("benchmark.repeats")->setCurrentIndex(2);
        QTest::mouseClick(find<QPushButton>("benchmark.all"), Qt::LeftButton);
        auto* cancel = find<QPushButton>("benchmark.cancel");
        QTRY_VERIFY_WITH_TIMEOUT(!view().table()->rows().empty(), long_enough); // figures come one by one
        QVERIFY(cancel->isVisible() && !find<QPushButton>("benchmark.measure")->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QTRY_VERIFY(!job().is_measuring());
        QVERIFY(!window_->workbench().is_timing());
        QVERIFY(!view().table()->rows().empty());
        QVERIFY(text("benchmark.sentence").contains(QStringLiteral("was stopped")));
        QVERIFY(find<QPushButton>("benchmark.measure")->isEnabled());
    }

    void all_conditions_are_measured_one_after_the_other() {
        open();
        show_dock();
        QTRY_VERIFY(job().obstacle().isEmpty());
        const auto request = view().request(true);
        QTest::mouseClick(find<QPushButton>("benchmark.all"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!job().is_measuring(), long_enough);
        for (const auto& conditions : request.conditions) {
            find<QComboBox>("benchmark.tokens")->setCurrentIndex(conditions.tokens == 1 ? 0 : 1);
            auto* threads = find<QComboBox>("benchmark.threads");
            threads->setCurrentIndex(threads->findData(static_cast<int>(conditions.threads)));
            QCOMPARE(view().conditions(), conditions);
            QCOMPARE(view().table()->rows().size(), std::size_t{14});
        }
        find<QComboBox>("benchmark.weights")->setCurrentIndex(1);
        QVERIFY(find<QPushButton>("benchmark.begin")->isVisible()); // nothing is known of f32
    }

    void what_was_measured_is_shown_when_the_model_is_opened_again() {
        profile();
        measure();
        const auto kept = session().profile();
        const auto rule = session().rule();
        const auto figure = text("verdict.measured");
        window_ = std::make_unique<MainWindow>();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        open();
        QTRY_COMPARE(view().table()->rows().size(), std::size_t{14 + 2});
        session().set_profile(kept);
        session().edit_rule(rule, QStringLiteral("test"));
        session().settle();
        QCOMPARE(text("verdict.measured"), figure);
        QVERIFY(text("benchmark.sentence").contains(QStringLiteral("Measured on ")));
    }

    void a_damaged_store_is_as_if_there_were_none() {
        open();
        measure();
        const auto subject = gui::subject_of(window_->workbench().model()->file->header_sha256());
        QVERIFY(!gui::read_timings(subject).rows.empty());
        QDir folder(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
                    QStringLiteral("/speed"));
        const auto files = folder.entryList(QDir::Files);
        QCOMPARE(files.size(), 1);
        QFile file(folder.filePath(files.front()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto text = file.readAll();
        file.close();
        const auto write = [&](const QByteArray& bytes) {
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(bytes);
            file.close();
        };
        write(text.left(text.size() / 2));
        QVERIFY(gui::read_timings(subject).rows.empty());
        const auto rows = text.count("\"seconds\"");
        write(text.replace(text.indexOf("\"seconds\""), 9, "\"moments\"")); // one row without its time
        QCOMPARE(static_cast<qsizetype>(gui::read_timings(subject).rows.size()), rows - 1);
    }

    void quality_is_on_hold_while_layers_are_timed() {
        profile();
        find<QCheckBox>("quality.live")->setChecked(true);
        auto* quality = window_->findChild<gui::QualityJob*>();
        QTRY_VERIFY(quality->is_busy());
        view().requested(view().request(false));
        QVERIFY(job().is_measuring());
        QVERIFY(quality->obstacle().contains(QStringLiteral("until the benchmark")));
        QTRY_VERIFY_WITH_TIMEOUT(!view().table()->rows().empty(), long_enough);
        QVERIFY(!quality->is_busy());
        QTRY_VERIFY_WITH_TIMEOUT(!job().is_measuring(), long_enough);
        QVERIFY(quality->obstacle().isEmpty());
    }

    void a_run_goes_first() {
        open();
        show_dock();
        QTRY_VERIFY(job().obstacle().isEmpty());
        find<QComboBox>("benchmark.repeats")->setCurrentIndex(2);
        QTest::mouseClick(find<QPushButton>("benchmark.all"), Qt::LeftButton);
        QSignalSpy finished(&window_->workbench(), &gui::Workbench::run_finished);
        gui::RunRequest request;
        request.most_prompts = 1;
        request.context = 16;
        window_->workbench().start(request);
        QVERIFY(job().obstacle().contains(QStringLiteral("until the run")));
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, long_enough);
        QTRY_VERIFY(!job().is_measuring());
    }

    void closing_while_it_measures_is_safe() {
        open();
        show_dock();
        find<QComboBox>("benchmark.repeats")->setCurrentIndex(2);
        QTRY_VERIFY(job().obstacle().isEmpty());
        view().requested(view().request(true));
        QVERIFY(job().is_measuring());
        QTest::qWait(100);
        window_.reset();
    }

    void the_table_never_scrolls_sideways() {
        open();
        measure();
        auto* table = view().table();
        window_->docks().benchmark->setFloating(true);
        for (const int width : {360, 480, 640, 1000, 1600}) {
            window_->docks().benchmark->resize(width, 800);
            QTRY_COMPARE(window_->docks().benchmark->width(), width);
            QVERIFY(table->horizontalHeader()->length() <= table->viewport()->width());
            QVERIFY(!table->isColumnHidden(BenchmarkTable::Speedup));
        }
        QVERIFY(table->shows_all_columns());
        table->selectRow(2);
        QVERIFY(text("benchmark.row").contains(QStringLiteral("GFLOP/s")));
        const auto all = table->table();
        QCOMPARE(all.headings.size(), qsizetype{BenchmarkTable::ColumnCount});
        QCOMPARE(all.rows.size(), table->rows().size());
        QCOMPARE(all.rows[2][BenchmarkTable::Speedup].toDouble(), table->rows()[2].speed.speedup);
    }
};

QTEST_MAIN(TestBenchmark)
#include "tst_benchmark.moc"
