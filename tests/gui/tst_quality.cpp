// SPDX-License-Identifier: GPL-3.0-or-later
//
// The quality dock of the real window: it measures the present mask, begins again when the mask changes, and goes back to a
// setting that was evaluated.
#include "app/gui/quality_job.h"
#include "app/gui/run_panel.h"
#include "app/gui/sweep_dialog.h"
#include "app/gui/views.h"
#include "core/base/embedded_files.h"
#include "core/model/read_tokenizer.h"
#include "core/quality/masked_model.h"
#include "core/quality/paired_evaluation.h"
#include "core/quality/quantisation_scale.h"
#include "tests/gui/window_fixture.h"
#include "widgets/quality_view.h"
#include "widgets/verdict_badge.h"
#include "widgets/verdict_card.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <qcustomplot.h>

using namespace permafrost;
using gui::MainWindow;
using widgets::QualityPoint;

class TestQuality : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OwnSettings> settings_;
    std::unique_ptr<test::TemporaryFolder> folder_;
    std::unique_ptr<MainWindow> window_;

    gui::Session& session() { return window_->workbench().session(); }
    widgets::QualityView& view() { return *window_->views().quality; }
    gui::QualityJob& job() { return *window_->findChild<gui::QualityJob*>(); }
    template <class Widget>
    Widget* find(const char* name) {
        return window_->findChild<Widget*>(QString::fromLatin1(name));
    }

    void profile() {
        window_->workbench().open(test::small_model(*folder_));
        QTRY_VERIFY(window_->workbench().model());
        gui::RunRequest request;
        request.most_prompts = 4;
        request.context = 64;
        request.threads = 1;
        QSignalSpy finished(&window_->workbench(), &gui::Workbench::run_finished);
        window_->workbench().start(request);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 120'000);
        session().settle();
    }

    void freeze(const char* rule) {
        session().begin_gesture();
        auto edited = masks::parse_rule(rule).value();
        edited.guard = false; // so that there is something to measure
        session().edit_rule(edited, QString::fromLatin1(rule));
        session().settle();
    }

    void wait_for_points(std::size_t count) {
        QTRY_VERIFY_WITH_TIMEOUT(job().points().size() >= count, 60'000);
    }

  private slots:
    void init() {
        settings_ = std::make_unique<test::OwnSettings>();
        folder_ = std::make_unique<test::TemporaryFolder>();
        QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively();
        window_ = std::make_unique<MainWindow>();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        find<QComboBox>("quality.windows")->setCurrentIndex(0);
    }
    void cleanup() {
        window_.reset();
        folder_.reset();
        settings_.reset();
    }

    void says_what_is_missing() {
        QVERIFY(view().sentence().contains(QStringLiteral("Profile a model")));
        profile();
        QVERIFY(view().sentence().contains(QStringLiteral("Switch live evaluation on")));
        QVERIFY(job().points().empty());
    }

    void measures_the_present_mask_as_the_core_does() {
        profile();
        freeze("impact:0.2");
        QTest::mouseClick(find<QCheckBox>("quality.live"), Qt::LeftButton, {}, QPoint(8, 8));
        QVERIFY(view().request().live);
        wait_for_points(1);
        const QualityPoint point = job().points().back();
        QCOMPARE(point.rule, session().rule());
        QCOMPARE(point.share, 1.0);
        QCOMPARE(point.tokens, std::uint64_t{4 * 255});

        const auto& model = *window_->workbench().model();
        const auto tokenizer = model::read_tokenizer(*model.file);
        auto text = text::cut_text(*tokenizer.value(), embedded::heldout_text(), 512).value();
        text.sequences.resize(4);
        std::map<std::uint32_t, masks::Bitmask> layers;
        for (std::uint32_t layer = 0; layer < model.config.layers; ++layer)
            layers[layer] = session().decision()->masks[layer].frozen;
        const auto variant = quality::masked_model("", layers, model.config.intermediate);
        const auto expected = quality::evaluate_paired(model.file, text, {variant.value()}, {});
        QCOMPARE(point.result.kl_mean, expected->masked[0].kl_mean);
        QCOMPARE(point.result.perplexity_ratio, expected->masked[0].perplexity_ratio);
        QVERIFY(point.result.kl_mean > 0);
        QVERIFY(find<QLabel>("quality.kl")->text().size() > 3);
        QVERIFY(find<QLabel>("verdict.quality")->text().contains(QStringLiteral("retained")));
    }

    void begins_again_when_the_mask_changes_and_goes_back() {
        profile();
        freeze("impact:0.3");
        find<QCheckBox>("quality.live")->setChecked(true);
        freeze("impact:0.1"); // before the first was begun
        wait_for_points(1);
        QCOMPARE(job().points().size(), std::size_t{1});
        freeze("impact:0.3");
        QVERIFY(find<QLabel>("verdict.quality")->text() == QStringLiteral("not measured"));
        wait_for_points(2);
        find<QComboBox>("quality.handling")->setCurrentIndex(1);
        wait_for_points(3);
        QVERIFY(job().points()[2].handling == quality::Handling::Mean);
        QVERIFY(job().points()[2].result.kl_mean != job().points()[1].result.kl_mean);

        // The first point is where fewest neurons are frozen.
        auto* plot = view().plot();
        plot->replot();
        const auto& first = job().points()[0];
        const QPoint place(qRound(plot->xAxis->coordToPixel(100 * first.frozen_share)),
                           qRound(plot->yAxis->coordToPixel(first.result.kl_mean)));
        QTest::mouseClick(plot, Qt::LeftButton, {}, place);
        QCOMPARE(session().rule(), first.rule);
        session().undo_stack()->undo();
        QCOMPARE(session().rule().quantile, 0.3);
    }

    void a_mask_that_costs_too_much_is_blocked() {
        profile();
        freeze("impact:0.5");
        find<QCheckBox>("quality.live")->setChecked(true);
        wait_for_points(1);
        auto* card = window_->views().verdict;
        QVERIFY(job().points()[0].result.kl_mean > 0.01);
        QCOMPARE(card->gate().state, verdict::GateState::Failed);
        QVERIFY(card->accessibleDescription().contains(QStringLiteral("Quality failed")));
        QCOMPARE(card->word(), QStringLiteral("PROCEED"));
        QVERIFY(card->findChild<widgets::VerdictBadge*>()->accessibleDescription().contains(
            QStringLiteral("blocked")));
        freeze("impact:0");
        wait_for_points(2);
        QCOMPARE(card->gate().state, verdict::GateState::Passed); // nothing frozen: exactly the dense model
        QCOMPARE(job().points()[1].result.kl_mean, 0.0);
        QCOMPARE(job().points()[1].result.perplexity_ratio, 1.0);
    }

    void a_profile_without_its_model_cannot_be_measured() {
        profile();
        const auto path = QString::fromStdString((folder_->path() / "kept.frost").string());
        QSignalSpy saved(&window_->workbench(), &gui::Workbench::profile_saved);
        window_->workbench().save_profile(path);
        QTRY_COMPARE(saved.count(), 1);
        MainWindow other;
        other.show();
        other.workbench().open(path);
        auto* quality = other.views().quality;
        QTRY_VERIFY(quality->sentence().startsWith(QStringLiteral("Open the model ")));
    }

    void what_was_measured_is_kept_and_predicts() {
        profile();
        find<QCheckBox>("quality.live")->setChecked(true);
        freeze("impact:0.1");
        wait_for_points(1);
        freeze("impact:0.3");
        wait_for_points(2);
        const auto kl = job().points()[0].result.kl_mean;
        find<QCheckBox>("quality.live")->setChecked(false);
        freeze("impact:0.2"); // not evaluated: expected between the two
        QTRY_VERIFY(find<QLabel>("quality.expected")->text().startsWith(QStringLiteral("≈")));
        const double expected = find<QLabel>("quality.expected")->text().mid(2).toDouble();
        QVERIFY(expected > job().points()[0].result.kl_mean && expected < job().points()[1].result.kl_mean);

        MainWindow other; // finds what the first one measured
        other.show();
        other.views().quality->set_request({true, quality::Handling::Zero, 4, {}});
        other.workbench().open(test::small_model(*folder_));
        QTRY_VERIFY(other.workbench().model());
        other.workbench().session().set_profile(session().profile());
        other.workbench().session().edit_rule(job().points()[0].rule, QStringLiteral("test"));
        auto* second = other.findChild<gui::QualityJob*>();
        QTRY_VERIFY(second->points().size() >= 2);
        QTRY_VERIFY(other.views().quality->sentence().contains(QStringLiteral("measured before")));
        QCOMPARE(second->points().back().result.kl_mean, kl);
    }

    void a_sweep_evaluates_all_its_settings() {
        profile();
        freeze("impact:0.1");
        auto* button = find<QPushButton>("quality.sweep");
        QTRY_VERIFY(button->isEnabled());
        button->click();
        auto* dialog = find<gui::SweepDialog>("sweep.dialog");
        QVERIFY(dialog);
        dialog->findChild<QSpinBox*>(QStringLiteral("sweep.dialog.count"))->setValue(5);
        QCOMPARE(dialog->settings().size(), std::size_t{5});
        QSignalSpy swept(&job(), &gui::QualityJob::swept);
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
        QVERIFY(job().is_sweeping());
        QCOMPARE(button->text().remove(u'&'), QStringLiteral("Stop"));
        QTRY_COMPARE_WITH_TIMEOUT(swept.count(), 1, 60'000);
        QVERIFY(swept[0][0].toString().isEmpty());
        QVERIFY(job().points().size() >= 5);
        QCOMPARE(button->text().remove(u'&'), QStringLiteral("Sweep…"));
        find<QComboBox>("quality.axis")->setCurrentIndex(1);
        view().plot()->replot();
        QVERIFY(view().plot()->xAxis->range().lower == 1.0);
    }

    void a_sweep_is_stopped_at_once() {
        profile();
        freeze("impact:0.1");
        std::vector<quality::SweepSetting> settings;
        for (int i = 1; i < 40; ++i) {
            auto rule = session().rule();
            rule.quantile = 0.01 * i;
            settings.push_back({rule, {}});
        }
        QTRY_VERIFY(find<QPushButton>("quality.sweep")->isEnabled());
        job().sweep(settings);
        QVERIFY(job().is_sweeping());
        find<QPushButton>("quality.sweep")->click();
        QVERIFY(!job().is_sweeping());
        QVERIFY(find<QPushButton>("quality.sweep")->isEnabled());
    }

    void questions_are_asked_after_the_text() {
        profile();
        freeze("impact:0.2");
        view().set_questions(QStringLiteral("builtin"));
        find<QCheckBox>("quality.live")->setChecked(true);
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("quality.answers")->text().contains(QStringLiteral(" of ")),
                                 60'000);
    }

    void one_neuron_is_measured_alone() {
        profile();
        session().select({3, 17});
        auto* measure = find<QPushButton>("neuron.measure");
        QTRY_VERIFY(measure->isVisible());
        measure->click();
        auto* removal = find<QLabel>("neuron.removal");
        QTRY_VERIFY_WITH_TIMEOUT(removal->text().startsWith(QStringLiteral("Alone at zero: KL ")), 60'000);
        session().select({3, 18}); // says nothing about another one
        QVERIFY(removal->text().isEmpty());
    }

    void closing_while_it_runs_is_safe() {
        profile();
        freeze("impact:0.5");
        find<QComboBox>("quality.windows")->setCurrentIndex(3);
        find<QCheckBox>("quality.live")->setChecked(true);
        QTest::qWait(500); // long enough to have begun
        window_.reset();
    }

    void the_scale_is_that_of_the_table() {
        QCOMPARE(quality::compared_with_quantisation(0), std::string("nothing"));
        QCOMPARE(quality::compared_with_quantisation(1e-5), std::string("less than rounding to f16"));
        QCOMPARE(quality::compared_with_quantisation(0.003), std::string("between q8_0 and q6_K"));
        QCOMPARE(quality::compared_with_quantisation(7), std::string("more than q2_K"));
    }
};

QTEST_MAIN(TestQuality)
#include "tst_quality.moc"
