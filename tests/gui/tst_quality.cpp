// SPDX-License-Identifier: GPL-3.0-or-later
//
// The quality dock of the real window: it measures the present mask, begins again when the mask changes, and goes back to a
// setting that was evaluated.
#include "app/gui/quality_job.h"
#include "app/gui/run_panel.h"
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
#include <QLabel>
#include <QSignalSpy>
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
        session().edit_rule(masks::parse_rule(rule).value(), QString::fromLatin1(rule));
        session().settle();
    }

    void wait_for_points(std::size_t count) {
        QTRY_VERIFY_WITH_TIMEOUT(job().points().size() >= count, 60'000);
    }

  private slots:
    void init() {
        settings_ = std::make_unique<test::OwnSettings>();
        folder_ = std::make_unique<test::TemporaryFolder>();
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
