// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/cliff_score.h"

#include <QtTest>

using namespace permafrost;

namespace {

/// Ten tokens in each of the first `buckets` buckets; low[neuron][bucket] of them are low.
profile::LayerStatistics statistics_of(const std::vector<std::vector<std::uint32_t>>& low,
                                       std::size_t buckets = profile::position_buckets) {
    profile::LayerStatistics statistics(static_cast<std::uint32_t>(low.size()));
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        statistics.tokens_by_position[bucket] = 10;
        for (std::size_t neuron = 0; neuron < low.size(); ++neuron)
            statistics.low_by_position[bucket * low.size() + neuron] = low[neuron][bucket];
    }
    return statistics;
}

} // namespace

class TestCliffScore : public QObject {
    Q_OBJECT

  private slots:
    void it_is_the_largest_share_that_falls_silent_at_one_place() {
        const std::vector<std::uint32_t> always(8, 10), never(8, 0), late{0, 0, 0, 0, 0, 0, 0, 9};
        QCOMPARE(profile::cliff_score(statistics_of({always, always, never})).value(), 1.0);
        QCOMPARE(profile::cliff_score(statistics_of({late, late})).value(), 1.0);
        QCOMPARE(profile::cliff_score(statistics_of({always, late, late, never})).value(), 2.0 / 3);
        std::vector<std::vector<std::uint32_t>> one_after_another;
        for (std::size_t i = 0; i < 8; ++i) {
            one_after_another.push_back(always);
            std::fill_n(one_after_another.back().begin(), i, 8u); // 80 % are not more than 80 %
        }
        QCOMPARE(profile::cliff_score(statistics_of(one_after_another)).value(), 0.125);
        QCOMPARE(profile::cliff_score(statistics_of(one_after_another), 0.79).value(), 1.0);
    }

    void a_neuron_that_wakes_again_counts_from_its_last_silence() {
        const std::vector<std::uint32_t> twice{10, 10, 0, 10, 10, 10, 10, 10},
            from_three{0, 0, 0, 10, 10, 10, 10, 10};
        QCOMPARE(profile::cliff_score(statistics_of({twice, from_three})).value(), 1.0);
    }

    void without_silent_neurons_there_is_no_score() {
        QVERIFY(!profile::cliff_score(statistics_of({std::vector<std::uint32_t>(8, 0)})));
        QVERIFY(!profile::cliff_score(statistics_of({{10, 10, 10, 10, 10, 10, 10, 0}})));
        QVERIFY(!profile::cliff_score(profile::LayerStatistics(3))); // no tokens at all
        // Short sequences reach the first buckets only.
        QCOMPARE(profile::cliff_score(statistics_of({std::vector<std::uint32_t>(8, 10)}, 2)).value(), 1.0);
    }

    void the_bands_are_the_seeds() {
        QCOMPARE(profile::cliff_band(0.3), "gradual");
        QCOMPARE(profile::cliff_band(0.6), "moderate");
        QCOMPARE(profile::cliff_band(0.61), "sharp");
    }
};

QTEST_APPLESS_MAIN(TestCliffScore)
#include "tst_cliff_score.moc"
