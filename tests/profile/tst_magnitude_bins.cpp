// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/magnitude_bins.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

using namespace permafrost::profile;
using magnitude_bins::bin_of;
using magnitude_bins::edge_at_or_below;
using magnitude_bins::edges;

namespace {

std::size_t count_edges_not_above(float magnitude) {
    std::size_t count = 0;
    for (const float edge : edges()) count += edge <= magnitude;
    return count;
}

} // namespace

class TestMagnitudeBins : public QObject {
    Q_OBJECT

  private slots:
    void decades_are_exact_edges() {
        QCOMPARE(edges()[0], 1e-4f);
        QCOMPARE(edges()[8], 1e-3f);
        QCOMPARE(edges()[16], 0.01f);
        QCOMPARE(edges()[24], 0.1f);
        QCOMPARE(edges()[32], 1.0f);
        QCOMPARE(edges()[40], 10.0f);
        QCOMPARE(edges()[48], 100.0f);
    }

    void edges_are_eighths_of_a_decade() {
        for (std::size_t k = 0; k < edges().size(); ++k) {
            const double exact = 1e-4 * std::pow(10.0, static_cast<double>(k) / 8);
            QVERIFY(std::fabs(edges()[k] / exact - 1) < 1e-7);
        }
    }

    void bins_agree_with_counting_edges() {
        std::mt19937 random(7);
        std::uniform_real_distribution<float> exponent(-6, 4);
        for (int i = 0; i < 100000; ++i) {
            const float magnitude = std::pow(10.0f, exponent(random));
            QCOMPARE(bin_of(magnitude), count_edges_not_above(magnitude));
        }
    }

    void bins_change_exactly_at_the_edges() {
        for (std::size_t k = 0; k < edges().size(); ++k) {
            QCOMPARE(bin_of(edges()[k]), k + 1);
            QCOMPARE(bin_of(std::nextafter(edges()[k], 0.0f)), k);
        }
        QCOMPARE(bin_of(0.0f), std::size_t{0});
        QCOMPARE(bin_of(std::numeric_limits<float>::denorm_min()), std::size_t{0});
        QCOMPARE(bin_of(std::numeric_limits<float>::max()), std::size_t{49});
    }

    void a_threshold_works_at_the_edge_at_or_below_it() {
        QCOMPARE(edge_at_or_below(0.1), 24);
        QCOMPARE(edge_at_or_below(0.0999), 23);
        QCOMPARE(edge_at_or_below(0.1001), 24);
        QCOMPARE(edge_at_or_below(1e-4), 0);
        QCOMPARE(edge_at_or_below(1e9), 48);
    }

    void thresholds_below_the_first_edge_have_none() {
        QCOMPARE(edge_at_or_below(0.99e-4), -1);
        QCOMPARE(edge_at_or_below(0), -1);
        QCOMPARE(edge_at_or_below(-1), -1);
        QCOMPARE(edge_at_or_below(std::numeric_limits<double>::quiet_NaN()), -1);
    }
};

QTEST_APPLESS_MAIN(TestMagnitudeBins)
#include "tst_magnitude_bins.moc"
