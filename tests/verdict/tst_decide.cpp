// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/decision.h"
#include "tests/support/synthetic_profile.h"

#include <QtTest>

#include <cmath>

using namespace permafrost;
using namespace permafrost::verdict;

namespace {

using Layers = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

bool close(double a, double b) { return std::fabs(a - b) < 1e-12; }

} // namespace

class TestDecide : public QObject {
    Q_OBJECT

  private slots:
    void figures_follow_from_the_masks() {
        // layers of 100 neurons: 10 and 50 frozen
        const auto decision = decide(*test::profile_with_frozen({{10, 100}, {50, 100}}), {});
        QCOMPARE(decision.layers[0].frozen, 10u);
        QCOMPARE(decision.layers[0].saturated, 10u);
        QVERIFY(close(decision.layers[1].frozen_share, 0.5));
        QVERIFY(close(decision.layers[1].speedup, 2));
        QVERIFY(close(decision.average_speedup, (1 / 0.9 + 2) / 2));
        QVERIFY(close(decision.ffn_speedup, 200.0 / 140.0));
        QVERIFY(close(decision.frozen_share, 0.3));
        QVERIFY(close(decision.model_speedup, 1 / (1 - 0.5 * 0.3))); // the FFN is half of the weights
        QCOMPARE(decision.frozen, std::uint64_t{60});
        QCOMPARE(decision.guarded, std::uint64_t{0});
        QCOMPARE(decision.verdict, Verdict::Proceed);
        QCOMPARE(decision.trend, Trend::Increases);
        QVERIFY(!decision.provisional);
    }

    void layers_of_other_widths_weigh_by_their_neurons_in_the_harmonic_figure() {
        const auto decision = decide(*test::profile_with_frozen({{0, 30}, {45, 90}}), {});
        QVERIFY(close(decision.average_speedup, 1.5));
        QVERIFY(close(decision.ffn_speedup, 120.0 / 75.0));
    }

    void layers_at_exactly_the_border_stay_below_it() {
        // 1 of 21 frozen gives 1.05, 1 of 51 gives 1.02
        QVERIFY(decide(*test::profile_with_frozen(Layers(30, {1, 21})), {}).average_speedup == 1.05);
        QCOMPARE(decide(*test::profile_with_frozen(Layers(30, {1, 21})), {}).verdict, Verdict::Conditional);
        QVERIFY(decide(*test::profile_with_frozen(Layers(7, {1, 51})), {}).average_speedup == 1.02);
        QCOMPARE(decide(*test::profile_with_frozen(Layers(7, {1, 51})), {}).verdict, Verdict::Skip);
        QCOMPARE(decide(*test::profile_with_frozen(Layers(80, {1, 20})), {}).verdict, Verdict::Proceed);
    }

    void mask_bytes_are_the_seeds() {
        const auto decision = decide(*test::profile_with_frozen(Layers(32, {0, 8192})), {});
        QCOMPARE(decision.mask_bytes, std::uint64_t{32896}); // 32 * 1028
        QCOMPARE(decision.masks[0].frozen.bytes().size(), std::size_t{1024});
    }

    void a_layer_that_is_frozen_entirely_has_a_finite_bound() {
        masks::FreezeRule rule;
        rule.guard = false; // in a layer of equals each one's peak is a good part of the output
        const auto decision = decide(*test::profile_with_frozen({{64, 64}}), rule);
        QCOMPARE(decision.average_speedup, 64.0);
        QCOMPARE(decision.ffn_speedup, 64.0);
        QVERIFY(std::isfinite(decision.model_speedup));
    }

    void layers_that_were_not_reached_count_in_nothing() {
        auto profile = std::make_shared<profile::Profile>(*test::profile_with_frozen({{10, 20}, {0, 20}}));
        profile->layers[1] = nullptr;
        const auto decision = decide(*profile, {});
        QCOMPARE(decision.average_speedup, 2.0);
        QCOMPARE(decision.frozen_share, 0.5);
        QCOMPARE(decision.mask_bytes, std::uint64_t{7});
        QVERIFY(!decision.layers[1].profiled);
        QCOMPARE(decision.layers[1].neurons, 20u);
        QCOMPARE(decision.masks[1].frozen.size(), std::size_t{0});
        QCOMPARE(decision.trend, Trend::Uniform); // the late layers are unknown
        QVERIFY(decision.provisional);
    }

    void a_layer_without_tokens_is_not_profiled() {
        auto profile = std::make_shared<profile::Profile>(*test::profile_with_frozen({{0, 8}}));
        profile->layers[0] = std::make_shared<const profile::LayerProfile>(profile::LayerStatistics(8));
        const auto decision = decide(*profile, masks::parse_rule("any").value());
        QVERIFY(!decision.layers[0].profiled);
        QCOMPARE(decision.average_speedup, 1.0);
        QCOMPARE(decision.verdict, Verdict::Skip);
    }

    void an_empty_profile_is_decided_too() {
        const auto decision = decide(profile::Profile{}, {});
        QCOMPARE(decision.average_speedup, 1.0);
        QVERIFY(decision.provisional);
    }

    void masks_are_limited_to_the_chosen_layers() {
        masks::FreezeRule rule;
        rule.layers = {{1, 2}};
        const auto decision = decide(*test::profile_with_frozen(Layers(4, {5, 10})), rule);
        QCOMPARE(decision.layers[0].frozen, 0u);
        QCOMPARE(decision.layers[1].frozen, 5u);
        QCOMPARE(decision.layers[2].frozen, 5u);
        QCOMPARE(decision.layers[3].frozen, 0u);
        QVERIFY(decision.layers[3].profiled);
        QCOMPARE(decision.masks[3].frozen.size(), std::size_t{10});
    }

    void bands_average_their_layers() {
        Layers layers;
        for (std::uint32_t layer = 0; layer < 32; ++layer)
            layers.push_back({layer < 8 ? 1 : layer < 16 ? 2 : 3, 10});
        const auto decision = decide(*test::profile_with_frozen(layers), {});
        QVERIFY(close(decision.bands[0].frozen_share, 0.1));
        QVERIFY(close(decision.bands[1].frozen_share, 0.2));
        QVERIFY(close(decision.bands[2].frozen_share, 0.3));
        QVERIFY(close(decision.bands[2].saturated_share, 0.3));
    }

    void deciding_twice_gives_the_same() {
        const auto profile = test::synthetic_profile(3, 100, 5);
        const auto once = decide(*profile, {});
        const auto again = decide(*profile, {});
        for (std::size_t layer = 0; layer < 3; ++layer)
            QVERIFY(once.masks[layer].frozen == again.masks[layer].frozen);
        QCOMPARE(once.average_speedup, again.average_speedup);
    }
};

QTEST_APPLESS_MAIN(TestDecide)
#include "tst_decide.moc"
