// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/elementwise.h"
#include "tests/support/random_blocks.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace permafrost;
using namespace permafrost::tensor;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

/// Distance from the exact value in units of the last place of an f32 of its size.
double error_in_ulp(float value, double exact) {
    const auto nearest = static_cast<float>(exact);
    const double ulp =
        static_cast<double>(std::nextafterf(std::fabs(nearest), infinite)) - std::fabs(nearest);
    return std::fabs(static_cast<double>(value) - exact) / ulp;
}

std::vector<float> random_values(std::size_t count, float scale, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<float> values(count);
    for (auto& value : values) value = static_cast<float>((2 * test::uniform(random) - 1) * scale);
    return values;
}

double silu(double x) { return x / (1 + std::exp(-x)); }

} // namespace

class TestElementwise : public QObject {
    Q_OBJECT

  private slots:
    void exponential_is_within_two_ulp() {
        double worst = 0;
        for (int i = -87000; i <= 88000; ++i) {
            const auto x = static_cast<float>(i) / 1000.0f;
            worst = std::max(worst, error_in_ulp(exp_f32(x), std::exp(static_cast<double>(x))));
        }
        for (const float tiny : {1e-30f, -1e-30f, 1e-8f, -1e-8f, 0.0f, -0.0f})
            worst = std::max(worst, error_in_ulp(exp_f32(tiny), std::exp(static_cast<double>(tiny))));
        qInfo("largest error: %.3f ulp", worst);
        QVERIFY(worst <= 2);
    }
    void exponential_is_one_at_zero() { QCOMPARE(exp_f32(0.0f), 1.0f); }
    void exponential_clamps_what_it_cannot_hold() {
        QCOMPARE(exp_f32(1000.0f), exp_f32(88.0f));
        QCOMPARE(exp_f32(infinite), exp_f32(88.0f));
        QVERIFY(std::isfinite(exp_f32(infinite)));
        QCOMPARE(exp_f32(-1000.0f), exp_f32(-87.0f));
        QCOMPARE(exp_f32(-infinite), exp_f32(-87.0f));
        QVERIFY(exp_f32(-infinite) > 0 && exp_f32(-infinite) < 2e-38f);
    }
    void exponential_of_not_a_number_is_not_a_number() { QVERIFY(std::isnan(exp_f32(not_a_number))); }

    void silu_equals_its_definition() {
        double worst = 0;
        for (int i = -20000; i <= 88000; ++i) {
            const auto x = static_cast<float>(i) / 1000.0f;
            if (i != 0) worst = std::max(worst, std::fabs(silu_f32(x) / silu(static_cast<double>(x)) - 1));
        }
        qInfo("largest relative error: %.3g", worst);
        QVERIFY(worst < 5e-7);
        QCOMPARE(silu_f32(0.0f), 0.0f);
    }
    void silu_of_very_negative_numbers_vanishes() {
        for (const float x : {-30.0f, -87.0f, -100.0f, -1e6f, -1e30f})
            QVERIFY(std::fabs(static_cast<double>(silu_f32(x)) - silu(static_cast<double>(x))) < 1e-7);
    }
    void silu_keeps_large_numbers_and_what_is_not_finite() {
        QCOMPARE(silu_f32(1e30f), 1e30f);
        QCOMPARE(silu_f32(infinite), infinite);
        QVERIFY(std::isnan(silu_f32(not_a_number)));
    }

    void gelu_equals_its_definition() {
        double worst = 0;
        for (int i = -9000; i <= 30000; ++i) {
            const auto x = static_cast<float>(i) / 1000.0f;
            const auto exact = static_cast<double>(x);
            // erfc-like tails: 1 + tanh(u) = 2 / (1 + exp(-2 u)) keeps its digits
            const double u = std::sqrt(2 / M_PI) * (exact + 0.044715 * exact * exact * exact);
            const double expected = exact / (1 + std::exp(-2 * u));
            worst = std::max(worst, std::fabs(static_cast<double>(gelu_tanh_f32(x)) - expected) /
                                        std::max(1e-3, std::fabs(expected)));
        }
        qInfo("largest error: %.3g", worst);
        QVERIFY(worst < 2e-6);
        QCOMPARE(gelu_tanh_f32(0.0f), 0.0f);
        QCOMPARE(gelu_tanh_f32(1e12f), 1e12f);
        QVERIFY(std::fabs(gelu_tanh_f32(-1e12f)) < 1e-20f);
        QVERIFY(std::isnan(gelu_tanh_f32(not_a_number)));
    }
    void tanh_equals_the_library() {
        double worst = 0;
        for (int i = -20000; i <= 20000; ++i) {
            const auto x = static_cast<float>(i) / 1500.0f;
            if (i == 0) continue;
            worst = std::max(worst, std::fabs(static_cast<double>(tanh_f32(x)) / std::tanh(static_cast<double>(x)) - 1));
        }
        qInfo("largest relative error: %.3g", worst);
        QVERIFY(worst < 5e-7);
        QCOMPARE(tanh_f32(0.0f), 0.0f);
        QCOMPARE(tanh_f32(infinite), 1.0f);
        QCOMPARE(tanh_f32(-infinite), -1.0f);
        QVERIFY(std::isnan(tanh_f32(not_a_number)));
    }
    void a_soft_cap_bounds_values() {
        std::vector<float> values{-1e9f, -3, 0, 0.5f, 1e9f};
        softcap(values.data(), 2, values.size());
        const std::vector<double> expected{-2, 2 * std::tanh(-1.5), 0, 2 * std::tanh(0.25), 2};
        for (std::size_t i = 0; i < values.size(); ++i)
            QVERIFY(std::fabs(static_cast<double>(values[i]) - expected[i]) < 1e-6);
    }

    void rms_norm_equals_a_plain_loop_data() {
        QTest::addColumn<int>("size");
        for (const int size : {1, 2, 15, 16, 17, 31, 64, 100, 577}) QTest::addRow("%d", size) << size;
    }
    void rms_norm_equals_a_plain_loop() {
        QFETCH(int, size);
        const auto n = static_cast<std::size_t>(size);
        const auto x = random_values(n, 3, 1), weight = random_values(n, 2, 2);
        constexpr float epsilon = 1e-5f;
        double squares = 0;
        for (const float value : x) squares += static_cast<double>(value) * static_cast<double>(value);
        const double scale = 1 / std::sqrt(squares / size + static_cast<double>(epsilon));
        std::vector<float> out(n, not_a_number), in_place = x;
        rms_norm(x.data(), weight.data(), epsilon, n, out.data());
        rms_norm(in_place.data(), weight.data(), epsilon, n, in_place.data());
        for (std::size_t i = 0; i < n; ++i) {
            const double expected = static_cast<double>(x[i]) * scale * static_cast<double>(weight[i]);
            QVERIFY(std::fabs(static_cast<double>(out[i]) - expected) <= 4e-7 * std::fabs(expected));
            QCOMPARE(in_place[i], out[i]);
        }
    }
    void rms_norm_of_zeros_is_zero() {
        const std::vector<float> weight(20, 1.0f);
        std::vector<float> x(20, 0.0f);
        rms_norm(x.data(), weight.data(), 1e-5f, x.size(), x.data());
        QCOMPARE(x, std::vector<float>(20, 0.0f));
    }

    void softmax_equals_a_plain_loop_data() { rms_norm_equals_a_plain_loop_data(); }
    void softmax_equals_a_plain_loop() {
        QFETCH(int, size);
        const auto x = random_values(static_cast<std::size_t>(size), 20, 3);
        const double highest = *std::max_element(x.begin(), x.end());
        double sum = 0;
        for (const float value : x) sum += std::exp(value - highest);
        auto row = x;
        const double inverse = exp_and_inverse_sum(row.data(), row.size());
        QVERIFY(std::fabs(inverse * sum - 1) < 1e-6);
        for (std::size_t i = 0; i < x.size(); ++i) {
            // The difference from the maximum is rounded to f32 before the exponential.
            const double below = highest - x[i], exact = std::exp(-below);
            QVERIFY(std::fabs(row[i] - exact) <= (3e-7 + 6e-8 * below) * exact);
        }
    }
    void softmax_of_huge_scores_does_not_overflow() {
        std::vector<float> row{-1e30f, 3e38f, 3e38f, 0.0f};
        const float inverse = exp_and_inverse_sum(row.data(), row.size());
        QCOMPARE(inverse, 0.5f);
        QCOMPARE(row[1], 1.0f);
        QVERIFY(row[0] < 2e-38f);
    }
};

QTEST_APPLESS_MAIN(TestElementwise)
#include "tst_elementwise.moc"
