// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/layer_profile.h"
#include "core/profile/output_scale.h"
#include "core/profile/sample_profile.h"
#include "tests/support/naive_statistics.h"
#include "tests/support/synthetic_profile.h"

#include <QtTest>

#include <cmath>

using namespace permafrost;
using namespace permafrost::profile;

namespace {

bool close(double a, double b, double relative = 1e-6) {
    return std::fabs(a - b) <= relative * std::fabs(b) + 1e-30;
}

constexpr float infinity = std::numeric_limits<float>::infinity();

/// One neuron, one sequence.
LayerProfile profile_of(const std::vector<float>& h, float norm = 1) {
    const std::vector<float> zeros(h.size(), 0.0f);
    return LayerProfile(test::naive_statistics({{.gate = zeros, .up = zeros, .h = h}}, 1,
                                               static_cast<std::uint32_t>(h.size()), {norm}));
}

} // namespace

class TestLayerProfile : public QObject {
    Q_OBJECT

  private slots:
    void moments_agree_with_two_passes_over_the_values() {
        const std::uint32_t neurons = 40;
        const auto sequences = test::random_sequences(5, 32, neurons, 3);
        const auto norms = test::random_norms(neurons, 4);
        const LayerProfile layer(test::naive_statistics(sequences, neurons, 32, norms));
        for (std::size_t i = 0; i < neurons; ++i) {
            const auto naive = test::naive_neuron(sequences, neurons, i);
            QCOMPARE(layer.count(i), naive.count);
            QVERIFY(close(layer.mean()[i], naive.mean));
            QVERIFY(close(layer.variance()[i], naive.variance));
            QVERIFY(close(layer.rms()[i], naive.rms));
            QVERIFY(close(layer.peak()[i], naive.peak));
            QVERIFY(close(layer.guard_score()[i], naive.peak * norms[i]));
            QVERIFY(close(layer.impact()[i], std::sqrt(naive.variance) * norms[i]));
            QCOMPARE(layer.low_activity(i, 0.1),
                     static_cast<double>(naive.below(0.1f)) / static_cast<double>(naive.count));
        }
    }

    void a_small_variance_beside_a_large_mean_survives() {
        // exact in f32: 1000 + k / 1024
        std::vector<float> values;
        for (int k = 0; k < 8; ++k) values.push_back(1000.0f + static_cast<float>(k) / 1024);
        QVERIFY(close(profile_of(values).variance()[0], 5.25 / 1024 / 1024,
                      1e-6)); // (8^2 - 1) / 12 steps squared
    }

    void the_variance_of_a_constant_is_zero_not_negative() {
        for (const float value : {0.1f, 3e-5f, 777.77f}) {
            const float variance = profile_of(std::vector<float>(7, value)).variance()[0];
            QVERIFY(variance >= 0);
            QVERIFY(double{variance} <= 1e-17 * double{value} * double{value});
        }
    }

    void non_finite_tokens_enter_nothing_but_their_count() {
        const auto layer = profile_of({1, infinity, 3, std::nanf("")});
        QCOMPARE(layer.tokens(), std::uint64_t{4});
        QCOMPARE(layer.count(0), std::uint64_t{2});
        QCOMPARE(layer.non_finite(), std::uint64_t{2});
        QCOMPARE(layer.mean()[0], 2.0f);
        QCOMPARE(layer.variance()[0], 1.0f);
        QCOMPARE(layer.peak()[0], 3.0f);
        QCOMPARE(layer.low_activity(0, 2.0), 0.5);
    }

    void a_neuron_without_a_finite_token_is_not_a_number() {
        const auto layer = profile_of({infinity, infinity});
        QVERIFY(std::isnan(layer.mean()[0]));
        QVERIFY(std::isnan(layer.variance()[0]));
        QVERIFY(std::isnan(layer.rms()[0]));
        QCOMPARE(layer.peak()[0], 0.0f);
        QCOMPARE(layer.average_variance(), 0.0);
        QCOMPARE(layer.low_activity(0, 0.1), 0.0);
    }

    void averages_leave_neurons_without_a_figure_out() {
        const LayerProfile layer(test::naive_statistics(
            {{.gate = {0, 0, 0, 0}, .up = {0, 0, 0, 0}, .h = {1, infinity, 3, infinity}}}, 2, 8,
            {1.0f, 1.0f}));
        QCOMPARE(layer.average_variance(), 1.0);
    }

    void gate_and_up_have_moments_of_their_own() {
        const LayerProfile layer(
            test::naive_statistics({{.gate = {1, 3}, .up = {-2, 2}, .h = {0, 0}}}, 1, 8, {1.0f}));
        QCOMPARE(layer.gate_mean(0), 2.0);
        QCOMPARE(layer.gate_variance(0), 1.0);
        QCOMPARE(layer.up_mean(0), 0.0);
        QCOMPARE(layer.up_variance(0), 4.0);
        QCOMPARE(layer.average_gate_variance(), 1.0);
        QCOMPARE(layer.average_up_variance(), 4.0);
    }

    void the_temporal_gradient_is_the_mean_step() {
        QCOMPARE(profile_of({1, 2, 0, 0}).temporal_gradient(0), 1.0);
    }

    void the_typical_output_adds_columns_as_if_uncorrelated() {
        const auto layer = test::layer_of(
            {{.mean = 0, .variance = 9, .down_norm = 1}, {.mean = 0, .variance = 4, .down_norm = 2}});
        QVERIFY(close(layer->typical_output(), 5));
    }

    void a_spike_is_not_typical() {
        // 199 tokens at 1, one at 1000: 99 % lie below the edge 10^(1/8).
        std::vector<float> values(199, 1.0f);
        values.push_back(1000.0f);
        const auto spiking = profile_of(values);
        QVERIFY(close(spiking.typical_output(), std::pow(10, 0.125)));
        QVERIFY(spiking.rms()[0] > 70);
        const auto steady = profile_of({3, -3, 3, -3});
        QVERIFY(close(steady.typical_output(), 3));
    }

    void the_common_output_leaves_the_largest_twentieth_out() {
        std::vector<test::NeuronFigures> neurons(39, {.mean = 0, .variance = 4});
        neurons.push_back({.mean = 0, .variance = 1e6});
        neurons.push_back({.mean = 0, .variance = 1e8});
        const auto layer = test::layer_of(neurons); // 41 neurons: two are left out
        QVERIFY(close(layer->common_output(), std::sqrt(4.0 * 41)));
    }

    void scales_add_up_but_behind_a_norm() {
        auto profile = *test::synthetic_profile(3, 100, 7);
        const auto common = [&](std::size_t layer) { return profile.layers[layer]->common_output(); };
        auto scales = profile::output_scales(profile);
        QVERIFY(close(scales[0], common(0)));
        QVERIFY(close(scales[2],
                      std::sqrt(common(0) * common(0) + common(1) * common(1) + common(2) * common(2))));
        profile.info.architecture = "gemma3";
        QVERIFY(close(profile::output_scales(profile)[2], common(2)));
        profile.layers[1] = nullptr;
        QCOMPARE(profile::output_scales(profile)[1], 0.0);
    }

    void below_has_a_row_an_edge() {
        const auto layer = profile_of({0.05f, 0.5f, 5.0f});
        QCOMPARE(layer.below(24)[0], 1u);
        QCOMPARE(layer.below(32)[0], 2u);
        QCOMPARE(layer.below(48)[0], 3u);
        QCOMPARE(layer.below(0)[0], 0u);
    }

    void activity_is_what_low_activity_leaves() {
        const auto profile = profile::sample_profile(1, 300, 4);
        const auto& layer = *profile->layers[0];
        for (const double threshold : {1e-9, 0.01, 0.1, 1.0}) {
            double active = 0, seen = 0;
            for (std::size_t i = 0; i < layer.neurons(); ++i) {
                active += (1 - layer.low_activity(i, threshold)) * static_cast<double>(layer.count(i));
                seen += static_cast<double>(layer.count(i));
            }
            QVERIFY(std::fabs(layer.activity(threshold) - active / seen) < 1e-12);
        }
    }
};

QTEST_APPLESS_MAIN(TestLayerProfile)
#include "tst_layer_profile.moc"
