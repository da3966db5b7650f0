// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/synthetic_profile.h"
#include "widgets/heatmap_data.h"

#include <QTest>

#include <cmath>

using namespace permafrost;
using widgets::HeatmapData;
using widgets::Metric;
using widgets::Pooling;

class TestHeatmap : public QObject {
    Q_OBJECT

    static constexpr std::uint32_t neurons = 28672;
    static constexpr std::uint32_t special = 17'321;

    static profile::ProfilePtr one_layer(const test::NeuronFigures& common, const test::NeuronFigures& one) {
        std::vector<test::NeuronFigures> figures(neurons, common);
        figures[special] = one;
        auto profile = std::make_shared<profile::Profile>();
        profile->info.layers = 2;
        profile->info.intermediate = {neurons, neurons};
        profile->layers = {test::layer_of(figures), nullptr};
        return profile;
    }

    static widgets::DecisionPtr decide(const profile::ProfilePtr& profile) {
        return std::make_shared<const verdict::Decision>(verdict::decide(*profile, {}));
    }

  private Q_SLOTS:
    void a_single_hot_neuron_among_28672_is_seen() {
        const auto profile = one_layer({.variance = 0.5}, {.variance = 7});
        HeatmapData data;
        data.set(profile, decide(profile), Metric::Variance);
        const auto bins = data.bins(0, neurons - 1, 900, Pooling::Largest);
        QVERIFY(bins.columns <= 900);
        std::size_t hot = 0;
        for (std::size_t column = 0; column < bins.columns; ++column)
            if (bins.at(0, column) > 6) {
                ++hot;
                QCOMPARE(column, std::size_t{special / bins.bin});
            }
        QCOMPARE(hot, std::size_t{1});
    }

    void a_single_quiet_neuron_is_seen_with_the_smallest() {
        const auto profile = one_layer({.variance = 0.5}, {.variance = 0.001});
        HeatmapData data;
        data.set(profile, decide(profile), Metric::Variance);
        const auto bins = data.bins(0, neurons - 1, 900, Pooling::Smallest);
        QCOMPARE(bins.at(0, special / bins.bin), 0.001F);
    }

    void a_single_frozen_neuron_is_not_averaged_away() {
        const auto profile = one_layer({.mean = 1, .variance = 1},
                                       {.mean = 0, .variance = 1e-6, .low_share = 1, .peak = 0.001F});
        const auto decision = decide(profile);
        QCOMPARE(decision->frozen, 1U);
        HeatmapData data;
        data.set(profile, decision, Metric::Frozen);
        const auto bins = data.bins(0, neurons - 1, 900, Pooling::Mean);
        for (std::size_t column = 0; column < bins.columns; ++column)
            QCOMPARE(bins.at(0, column) > 0, column == special / bins.bin);
        QCOMPARE(data.value(0, special), 1.0F);
    }

    void a_zoomed_view_shows_each_neuron_by_itself() {
        const auto profile = one_layer({.variance = 0.5}, {.variance = 7});
        HeatmapData data;
        data.set(profile, decide(profile), Metric::Variance);
        const auto bins = data.bins(special - 10, special + 10, 900, Pooling::Largest);
        QCOMPARE(bins.bin, 1U);
        QCOMPARE(bins.first, special - 10);
        QCOMPARE(bins.at(0, 10), 7.0F);
        QCOMPARE(bins.at(0, 11), 0.5F);
    }

    void panning_keeps_the_borders_of_the_bins() {
        const auto profile = one_layer({}, {});
        HeatmapData data;
        data.set(profile, decide(profile), Metric::Variance);
        const auto before = data.bins(1000, 10999, 500, Pooling::Mean);
        const auto after = data.bins(1013, 11012, 500, Pooling::Mean);
        QCOMPARE(after.bin, before.bin);
        QCOMPARE(after.first % after.bin, 0U);
    }

    void layers_that_were_not_reached_have_no_value() {
        const auto profile = one_layer({}, {});
        HeatmapData data;
        for (auto metric : {Metric::Variance, Metric::Frozen}) {
            data.set(profile, decide(profile), metric);
            const auto bins = data.bins(0, neurons - 1, 100, Pooling::Largest);
            QVERIFY(std::isnan(bins.at(1, 0)));
            QVERIFY(!std::isnan(bins.at(0, 0)));
            QVERIFY(std::isnan(data.value(1, 5)));
        }
    }

    void every_neuron_is_in_exactly_one_bin() {
        const auto profile = one_layer({.variance = 1}, {.variance = 1});
        HeatmapData data;
        data.set(profile, decide(profile), Metric::Variance);
        for (std::size_t columns : {1, 7, 100, 1000, 28672, 50000}) {
            const auto bins = data.bins(0, neurons - 1, columns, Pooling::Mean);
            QVERIFY(bins.columns <= columns);
            QVERIFY(bins.columns * bins.bin >= neurons);
            QVERIFY((bins.columns - 1) * bins.bin < neurons);
        }
    }
};

QTEST_APPLESS_MAIN(TestHeatmap)
#include "tst_heatmap.moc"
