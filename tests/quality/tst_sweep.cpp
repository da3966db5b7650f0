// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sweeps, handlings of frozen neurons, single neurons and the instant estimate, against evaluations made one by one and figures
// known beforehand.
#include "core/base/atomic_file.h"
#include "core/masks/mask_identity.h"
#include "core/profile/output_scale.h"
#include "core/profile/run.h"
#include "core/quality/loss_estimate.h"
#include "core/quality/masked_model.h"
#include "core/quality/sweep_file.h"
#include "tests/support/naive_llama.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <cmath>

using namespace permafrost;
using quality::Handling;
using quality::SweepSetting;

namespace {

constexpr std::uint32_t vocabulary = 96, context = 24;

masks::FreezeRule impact(double share) {
    auto rule = masks::parse_rule("impact:0.1").value();
    rule.quantile = share;
    rule.guard = false;
    return rule;
}

} // namespace

class TestSweep : public QObject {
    Q_OBJECT

    formats::ModelFilePtr file_;
    text::Corpus corpus_;
    profile::ProfilePtr profile_;
    quality::EvaluationSettings evaluation_{context, 1, 4096, false};

    quality::SweepSubject subject() const {
        return {file_->header_sha256(), "some text", corpus_.sha256, corpus_.sequences.size(), context, 0};
    }
    Result<quality::Sweep> sweep(const std::vector<SweepSetting>& settings, quality::Sweep begun,
                                 std::size_t at_once, const quality::SweepObserver& observer = {},
                                 const std::stop_token& stop = {}) const {
        return quality::evaluate_sweep(file_, *profile_, corpus_, settings, std::move(begun), evaluation_,
                                       at_once, observer, stop);
    }
    quality::Sweep nothing() const { return {subject(), {}, {}}; }
    quality::Comparison alone(const SweepSetting& setting) const {
        const auto decision = verdict::decide(*profile_, setting.rule);
        const auto variant = quality::masked_model(
            "", quality::masks_of(decision), profile_->info.intermediate, setting.handling, profile_.get());
        return quality::evaluate_paired(file_, corpus_, {variant.value()}, evaluation_)->masked[0];
    }

  private slots:
    void initTestCase() {
        file_ = formats::open_model_file(PERMAFROST_TEST_DATA "/model/data/families/llama.gguf").value();
        corpus_ = test::random_corpus(std::vector<std::size_t>(4, context), vocabulary, 5);
        profile::RunSettings settings;
        settings.context = context;
        profile_ =
            profile::run_profile(
                file_, test::random_corpus(std::vector<std::size_t>(5, context), vocabulary, 9), settings)
                ->profile;
    }

    void each_setting_is_what_it_is_alone() {
        const std::vector<SweepSetting> settings{{impact(0.1), {}},
                                                 {impact(0.3), {}},
                                                 {impact(0.3), {Handling::Mean, {}}},
                                                 {impact(0.3), {Handling::Mean, {{1, Handling::Zero}}}},
                                                 {impact(0.1), {}}, // again
                                                 {impact(0), {}}};
        std::size_t passes = 0;
        quality::SweepObserver observer;
        observer.pass_done = [&](const quality::Sweep&) { ++passes; };
        const auto result = sweep(settings, nothing(), 2, observer);
        QVERIFY2(result.ok(), result.ok() ? "" : result.message().c_str());
        QCOMPARE(result->settings.size(), settings.size());
        QCOMPARE(passes, std::size_t{3}); // five different ones
        for (std::size_t i = 0; i < settings.size(); ++i) {
            const auto expected = alone(settings[i]);
            QCOMPARE(result->settings[i].result.kl_mean, expected.kl_mean);
            QCOMPARE(result->settings[i].result.perplexity_ratio, expected.perplexity_ratio);
            QVERIFY(result->settings[i].setting.handling == settings[i].handling);
        }
        QCOMPARE(result->settings[5].result.kl_mean, 0.0);
        QVERIFY(result->settings[1].variant_sha256 != result->settings[2].variant_sha256);
        QCOMPARE(result->settings[1].mask_sha256, result->settings[2].mask_sha256);
    }

    void an_interrupted_sweep_goes_on() {
        const std::vector<SweepSetting> settings{
            {impact(0.1), {}}, {impact(0.2), {}}, {impact(0.3), {}}, {impact(0.4), {}}};
        const auto whole = sweep(settings, nothing(), 1);
        std::stop_source stop;
        quality::Sweep kept;
        quality::SweepObserver observer;
        observer.pass_done = [&](const quality::Sweep& so_far) {
            kept = so_far;
            if (so_far.settings.size() == 2) stop.request_stop();
        };
        QVERIFY(sweep(settings, nothing(), 1, observer, stop.get_token()).cancelled());
        QCOMPARE(kept.settings.size(), std::size_t{2});

        test::TemporaryFolder folder;
        const auto path = folder.path() / "sweep.json";
        QVERIFY(write_file(path, quality::sweep_json(kept).dump()).ok());
        const auto read = quality::read_sweep(path);
        QVERIFY2(read.ok(), read.ok() ? "" : read.message().c_str());
        QVERIFY(read->subject == subject());
        auto overlapping = subject();
        overlapping.overlap = 0.005; // by another profile: the measurements are the same
        QVERIFY(read->subject == overlapping);
        std::size_t passes = 0;
        observer.pass_done = [&](const quality::Sweep&) { ++passes; };
        const auto rest = sweep(settings, read.value(), 1, observer);
        QCOMPARE(passes, std::size_t{2});
        QCOMPARE(quality::sweep_json(rest.value()).dump(), quality::sweep_json(whole.value()).dump());
        // Settings that are not asked for again stay.
        QCOMPARE(sweep({settings[3]}, whole.value(), 4)->settings.size(), std::size_t{4});
    }

    void damaged_files_are_refused() {
        test::TemporaryFolder folder;
        const auto path = folder.path() / "sweep.json";
        for (
            const char* content :
            {"", "[]", "{}", R"({"format":"permafrost.sweep","version":2})",
             R"({"format":"permafrost.sweep","version":1})",
             R"({"format":"permafrost.sweep","version":1,"settings":[3]})",
             R"({"format":"permafrost.sweep","version":1,"settings":[{"rule":{"rule":"frosty"}}]})",
             R"({"format":"permafrost.sweep","version":1,"settings":[{"rule":{},"frozen_neurons":"warm"}]})"}) {
            QVERIFY(write_file(path, content).ok());
            const auto read = quality::read_sweep(path);
            QVERIFY2(!read.ok() && read.message().find("sweep.json") != std::string::npos, content);
        }
    }

    void passes_change_nothing() {
        std::vector<quality::MaskedModel> variants;
        for (std::uint32_t neuron = 0; neuron < 5; ++neuron)
            variants.push_back(quality::without_neuron(1, neuron, profile_->info.intermediate).value());
        const auto all = quality::evaluate_paired(file_, corpus_, variants, evaluation_);
        const auto passes = quality::evaluate_in_passes(file_, corpus_, variants, 2, evaluation_);
        QCOMPARE(passes->masked.size(), all->masked.size());
        for (std::size_t i = 0; i < variants.size(); ++i)
            QCOMPARE(passes->masked[i].kl_mean, all->masked[i].kl_mean);
        QVERIFY(quality::evaluate_in_passes(file_, corpus_, {}, 2, evaluation_)->dense.tokens > 0);
        QVERIFY(!quality::without_neuron(99, 0, profile_->info.intermediate).ok());
        QVERIFY(!quality::without_neuron(0, 1 << 20, profile_->info.intermediate).ok());
    }

    void handlings_are_read_and_written() {
        for (const char* text : {"zero", "mean", "better", "mean,0-3:zero", "zero,2:mean,5-6:better"})
            QCOMPARE(quality::handling_text(quality::parse_handling(text).value()), std::string(text));
        for (const char* text :
             {"", "warm", "mean,", "mean,zero", "mean,3-1:zero", "mean,1:zero,0-2:zero", ",", "zero:1"})
            QVERIFY2(!quality::parse_handling(text).ok(), text);
        const auto handling = quality::parse_handling("mean,1:zero").value();
        QVERIFY(handling.of(0) == Handling::Mean && handling.of(1) == Handling::Zero);
        QVERIFY(handling.needs_means() && !quality::FrozenHandling{}.needs_means());
    }

    void better_keeps_means_that_are_known_well() {
        QVERIFY(quality::mean_is_better(0.1, 1, 1000));   // 0.01 > 0.002
        QVERIFY(!quality::mean_is_better(0.01, 1, 1000)); // 0.0001 < 0.002
        QVERIFY(!quality::mean_is_better(1, 1, 0));
        const auto layers = quality::masks_of(verdict::decide(*profile_, impact(0.5)));
        const auto better = quality::masked_model("", layers, profile_->info.intermediate,
                                                  {Handling::Better, {}}, profile_.get());
        bool kept = false, zeroed = false;
        for (std::size_t layer = 0; layer < better->layers.size(); ++layer) {
            const auto& frozen = better->layers[layer];
            const auto& statistics = *profile_->layers[layer];
            for (std::size_t i = 0; i < frozen.neurons.size(); ++i) {
                const double mean = statistics.mean()[frozen.neurons[i]];
                const double variance = statistics.variance()[frozen.neurons[i]];
                const bool expected = mean * mean > 2 * variance / 120;
                QCOMPARE(frozen.values[i], expected ? statistics.mean()[frozen.neurons[i]] : 0.0f);
                (expected ? kept : zeroed) = true;
            }
        }
        QVERIFY(kept && zeroed);
        QVERIFY(!quality::masked_model("", layers, profile_->info.intermediate, {Handling::Mean, {}}).ok());
    }

    void output_loss_is_the_sum_over_frozen_neurons() {
        const auto decision = verdict::decide(*profile_, impact(0.2));
        const auto scales = profile::output_scales(*profile_);
        double zero = 0, mean = 0;
        for (std::size_t layer = 0; layer < profile_->layers.size(); ++layer) {
            const auto& statistics = *profile_->layers[layer];
            for (std::size_t i = 0; i < statistics.neurons(); ++i) {
                if (!decision.masks[layer].frozen.test(i)) continue;
                const double part = statistics.down_norm()[i] / scales[layer];
                const double variance = statistics.variance()[i], average = statistics.mean()[i];
                mean += variance * part * part;
                zero += (variance + average * average) * part * part;
            }
        }
        const auto near = [](double one, double other) { return std::fabs(one / other - 1) < 1e-6; };
        QVERIFY(near(quality::output_loss(*profile_, decision, {}), zero));
        QVERIFY(near(quality::output_loss(*profile_, decision, {Handling::Mean, {}}), mean));
    }

    void a_power_law_is_found() {
        std::vector<quality::LossPoint> points;
        QCOMPARE(quality::estimate_loss(points, 0.1).points, std::size_t{0});
        points.push_back({0.01, 0.002, {}});
        const auto first = quality::estimate_loss(points, 0.02); // proportional until more is known
        QVERIFY(std::fabs(first.kl - 0.004) < 1e-9);
        QCOMPARE(first.factor, 0.0);
        points = {{0, 0, {}}, {1e-3, std::nan(""), {}}};
        for (int i = 0; i < 6; ++i) {
            const double loss = 0.01 * std::pow(2, i);
            points.push_back({loss, 0.3 * std::pow(loss, 1.2), {}});
        }
        const auto estimate = quality::estimate_loss(points, 0.1);
        QCOMPARE(estimate.points, std::size_t{6});
        QVERIFY(std::fabs(estimate.kl / (0.3 * std::pow(0.1, 1.2)) - 1) < 0.02);
        QVERIFY(estimate.factor > 1 && estimate.factor < 1.1);
        // Points of another kind give way to those of the asked one.
        for (int i = 0; i < 6; ++i) points.push_back({0.01 * std::pow(2, i), 30, "activity"});
        QVERIFY(std::fabs(quality::estimate_loss(points, 0.1).kl / (0.3 * std::pow(0.1, 1.2)) - 1) < 0.5);
        QVERIFY(quality::estimate_loss(points, 0.1, "activity").kl > 10);
    }

    void the_front_has_what_nothing_betters() {
        std::vector<quality::SweptSetting> settings(5);
        const double speedups[] = {1.1, 1.2, 1.2, 1.3, 1.05}, kls[] = {0.01, 0.03, 0.02, 0.015, std::nan("")};
        for (std::size_t i = 0; i < 5; ++i) {
            settings[i].estimated_speedup = speedups[i];
            settings[i].result.kl_mean = kls[i];
        }
        QVERIFY((quality::pareto_front(settings) == std::vector<std::size_t>{0, 3}));
    }
};

QTEST_APPLESS_MAIN(TestSweep)
#include "tst_sweep.moc"
