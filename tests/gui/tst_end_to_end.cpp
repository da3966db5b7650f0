// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person does from start to end, in the real window with real mouse events.
#include "app/gui/actions.h"
#include "app/gui/run_panel.h"
#include "app/gui/views.h"
#include "core/formats/knot.h"
#include "tests/gui/window_fixture.h"
#include "widgets/heatmap_view.h"
#include "widgets/histogram_view.h"
#include "widgets/layer_view.h"
#include "widgets/mask_grid.h"
#include "widgets/numbers.h"
#include "widgets/threshold_control.h"
#include "widgets/threshold_panel.h"
#include "widgets/verdict_card.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QTabWidget>
#include <QTest>
#include <qcustomplot.h>

using namespace permafrost;
using gui::MainWindow;
using widgets::RuleField;

class TestEndToEnd : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OwnSettings> settings_;
    std::unique_ptr<test::TemporaryFolder> folder_;
    std::unique_ptr<MainWindow> window_;

    gui::Session& session() { return window_->workbench().session(); }

    void open_small_model() {
        window_->workbench().open(test::small_model(*folder_));
        QTRY_VERIFY(window_->workbench().model());
        QVERIFY(window_->run_panel().start_button()->isEnabled());
    }

    void profile(std::uint64_t prompts) {
        gui::RunRequest request;
        request.most_prompts = prompts;
        request.context = 32;
        request.threads = 1;
        window_->run_panel().set_request(request);
        QSignalSpy finished(&window_->workbench(), &gui::Workbench::run_finished);
        QTest::mouseClick(window_->run_panel().start_button(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 120'000);
        QCOMPARE(finished[0][2].toString(), QString());
        QVERIFY(finished[0][0].toBool());
        session().settle();
    }

    void drag(QWidget* widget, const QPoint& from, const QPoint& to) {
        QTest::mousePress(widget, Qt::LeftButton, Qt::NoModifier, from);
        for (int step = 1; step <= 8; ++step) QTest::mouseMove(widget, from + (to - from) * step / 8);
        QTest::mouseRelease(widget, Qt::LeftButton, Qt::NoModifier, to);
    }

    static QPoint handle_of(QSlider* slider) {
        QStyleOptionSlider option;
        option.initFrom(slider);
        option.orientation = slider->orientation();
        option.minimum = slider->minimum();
        option.maximum = slider->maximum();
        option.sliderPosition = slider->sliderPosition();
        option.sliderValue = slider->value();
        return slider->style()
            ->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider)
            .center();
    }

    /// The three criteria by a plain loop over the profile's exact sums: the oracle of the masks.
    static bool frozen_by_hand(const profile::LayerProfile& layer, const masks::FreezeRule& rule,
                               std::size_t neuron) {
        const auto& sums = layer.statistics();
        const double tokens = static_cast<double>(sums.tokens);
        const double mean = fixed_point::to_double(sums.sum[neuron]) / tokens;
        const double variance = fixed_point::to_double(sums.sum_squares[neuron]) / tokens - mean * mean;
        if (!(variance < rule.variance_threshold) || !(std::fabs(mean) < rule.gradient_threshold))
            return false;
        const double peak = std::max(std::fabs(sums.minimum[neuron]), std::fabs(sums.maximum[neuron]));
        double typical = 0;
        for (std::size_t i = 0; i < sums.neurons; ++i)
            typical +=
                fixed_point::to_double(sums.sum_squares[i]) / tokens * sums.down_norm[i] * sums.down_norm[i];
        return !rule.guard || peak * sums.down_norm[neuron] < rule.guard_ratio * std::sqrt(typical);
    }

    /// (layer) bytes of the masks in the exported .rknot.
    static QList<QJsonArray> masks_of(const QStringList& files) {
        QList<QJsonArray> masks;
        for (const auto& file : files) {
            if (!file.endsWith(u".rknot")) continue;
            const auto maps = formats::read_saturation_maps(file.toStdString());
            if (!maps.ok()) return {};
            const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(maps.value())).object();
            const auto layers = json[QStringLiteral("ffn_frozen_per_layer")].toObject();
            for (int layer = 0; layer < layers.size(); ++layer)
                masks << layers[QString::number(layer)].toObject()[QStringLiteral("frozen_mask")].toArray();
        }
        return masks;
    }

  private Q_SLOTS:
    void init() {
        settings_ = std::make_unique<test::OwnSettings>();
        folder_ = std::make_unique<test::TemporaryFolder>();
        window_ = std::make_unique<MainWindow>();
        window_->resize(1440, 900);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    }
    void cleanup() {
        window_.reset();
        folder_.reset();
        settings_.reset();
    }

    void profiling_fills_the_views() {
        open_small_model();
        profile(3);
        QVERIFY(session().profile()->complete());
        QVERIFY(!session().decision()->provisional);
        QVERIFY(window_->views().verdict->word() != QStringLiteral("NO VERDICT"));
        QCOMPARE(window_->views().heatmap->data().layers(), session().profile()->info.layers);
        QVERIFY(window_->actions().export_masks->isEnabled());
    }

    void dragging_a_slider_is_one_undo_step_and_all_views_follow() {
        open_small_model();
        profile(3);
        const auto before = session().decision();
        const auto estimate = window_->views().verdict->estimate();
        // Only the variance counts, so that the slider surely freezes neurons.
        auto rule = session().rule();
        rule.use_gradient = false;
        rule.guard = false;
        session().edit_rule(rule, QStringLiteral("Variance only"));
        const auto steps = session().undo_stack()->count();

        auto* slider = window_->views().thresholds->control(RuleField::Variance)->slider();
        const auto handle = handle_of(slider);
        drag(slider, handle, {slider->width() - 4, handle.y()});
        QVERIFY(session().rule().variance_threshold > 1);
        QTRY_VERIFY(session().decision()->frozen > before->frozen);
        QCOMPARE(session().undo_stack()->count(), steps + 1);
        QCOMPARE(window_->views().verdict->estimate(),
                 widgets::factor(session().decision()->average_speedup));
        QVERIFY(window_->views().verdict->estimate() != estimate);
        QTRY_VERIFY(window_->views().layer->mask()->describe(0).contains(u"frozen"));

        window_->actions().undo->trigger();
        window_->actions().undo->trigger();
        QCOMPARE(session().rule(), masks::FreezeRule{});
        QTRY_COMPARE(session().decision()->frozen, before->frozen);
        QCOMPARE(window_->views().verdict->estimate(), estimate);
        window_->actions().redo->trigger();
        window_->actions().redo->trigger();
        QVERIFY(session().rule().variance_threshold > 1);
    }

    void dragging_the_line_in_the_histogram_moves_the_same_threshold() {
        open_small_model();
        profile(3);
        window_->views().tabs->setCurrentWidget(window_->views().layer);
        auto* plot = window_->views().layer->histogram()->plot();
        const auto pixel = [&] { return plot->xAxis->coordToPixel(session().rule().variance_threshold); };
        const auto inside = [&] {
            return plot->axisRect()->rect().contains(qRound(pixel()), plot->axisRect()->center().y());
        };
        QTRY_VERIFY(plot->xAxis->scaleType() == QCPAxis::stLogarithmic && inside());

        const QPoint line(qRound(pixel()), plot->axisRect()->center().y());
        const QPoint target(plot->axisRect()->left() + plot->axisRect()->width() * 3 / 4, line.y());
        const double expected = plot->xAxis->pixelToCoord(target.x());
        drag(plot, line, target);
        QVERIFY(std::fabs(std::log10(session().rule().variance_threshold / expected)) < 0.05);
        QCOMPARE(session().undo_stack()->count(), 1);
        const auto* box = window_->views().thresholds->control(RuleField::Variance)->box();
        QVERIFY(std::fabs(box->value() - session().rule().variance_threshold) < 1e-9);
        QTRY_COMPARE(session().decision()->rule, session().rule());
    }

    void a_click_in_the_heatmap_selects_layer_and_neuron() {
        open_small_model();
        profile(2);
        auto* plot = window_->views().heatmap->plot();
        const auto layers = window_->views().heatmap->data().layers();
        QTRY_VERIFY(plot->xAxis->range().upper > 8);
        const QPoint cell(qRound(plot->xAxis->coordToPixel(5)),
                          qRound(plot->yAxis->coordToPixel(layers - 1.0 - 1)));
        QTest::mouseClick(plot, Qt::LeftButton, Qt::NoModifier, cell);
        QCOMPARE(session().selection().layer, 1U);
        QVERIFY(session().selection().neuron);
        QVERIFY(std::abs(static_cast<int>(*session().selection().neuron) - 5) <= 1);
        QTest::keyClick(plot, Qt::Key_Up);
        QCOMPARE(session().selection().layer, 0U);
    }

    void exported_masks_are_those_of_the_profile() {
        open_small_model();
        profile(3);
        auto rule = session().rule();
        rule.variance_threshold = 0.05;
        rule.gradient_threshold = 0.05;
        session().edit_rule(rule, QStringLiteral("both"));
        const auto target = QString::fromStdString((*folder_ / "masks").string());
        QSignalSpy exported(&window_->workbench(), &gui::Workbench::export_finished);
        window_->workbench().export_masks(target);
        QTRY_COMPARE(exported.count(), 1);
        const auto report = exported[0][0].value<gui::ExportReport>();
        QCOMPARE(report.problem, QString());

        QFile file(target + QStringLiteral("/saturation-manifest.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto manifest = QJsonDocument::fromJson(file.readAll()).object();
        const auto entries = manifest[QStringLiteral("layers")].toArray();
        QCOMPARE(manifest[QStringLiteral("var_threshold")].toDouble(), 0.05);
        QCOMPARE(entries.size(), static_cast<qsizetype>(session().profile()->layers.size()));
        const auto masks = masks_of(report.files);
        QCOMPARE(masks.size(), entries.size());
        std::size_t total = 0;
        for (qsizetype layer = 0; layer < entries.size(); ++layer) {
            const auto& statistics = *session().profile()->layers[static_cast<std::size_t>(layer)];
            const auto bytes = masks[layer];
            QCOMPARE(bytes.size(), static_cast<qsizetype>(statistics.neurons() + 7) / 8);
            int by_hand = 0;
            for (std::uint32_t neuron = 0; neuron < statistics.neurons(); ++neuron) {
                const bool frozen = frozen_by_hand(statistics, rule, neuron);
                const int byte = bytes[static_cast<qsizetype>(neuron / 8)].toInt();
                QCOMPARE(((byte >> (neuron % 8)) & 1) != 0, frozen);
                by_hand += frozen ? 1 : 0;
            }
            QCOMPARE(entries[layer].toObject()[QStringLiteral("frozen")].toInt(), by_hand);
            total += static_cast<std::size_t>(by_hand);
        }
        QCOMPARE(session().decision()->frozen, total);
    }

    void a_saved_profile_opens_again_with_the_same_numbers() {
        open_small_model();
        profile(2);
        const auto frozen = session().decision()->frozen;
        const auto path = QString::fromStdString((*folder_ / "run.frost").string());
        QSignalSpy saved(&window_->workbench(), &gui::Workbench::profile_saved);
        window_->workbench().save_profile(path);
        QTRY_COMPARE(saved.count(), 1);
        MainWindow other;
        other.show();
        other.workbench().open(path);
        QTRY_VERIFY(other.workbench().session().decision());
        QCOMPARE(other.workbench().session().decision()->frozen, frozen);
    }

    void a_cancelled_run_keeps_what_it_has() {
        open_small_model();
        gui::RunRequest request;
        request.context = 64;
        request.threads = 1;
        window_->run_panel().set_request(request);
        QSignalSpy finished(&window_->workbench(), &gui::Workbench::run_finished);
        window_->actions().start->trigger();
        window_->actions().cancel->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
        QVERIFY(!window_->workbench().is_running());
        QVERIFY(window_->actions().start->isEnabled());
    }

    void closing_the_window_while_a_run_works_is_safe() {
        open_small_model();
        gui::RunRequest request;
        request.context = 256;
        window_->run_panel().set_request(request);
        window_->actions().start->trigger();
        QVERIFY(window_->workbench().is_running());
        window_->close();
        window_.reset(); // joins the run's thread
    }
};

QTEST_MAIN(TestEndToEnd)
#include "tst_end_to_end.moc"
