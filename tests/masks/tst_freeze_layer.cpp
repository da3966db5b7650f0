// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/freeze_rule.h"
#include "tests/support/naive_statistics.h"
#include "tests/support/synthetic_profile.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace permafrost;
using namespace permafrost::masks;

namespace {

constexpr std::uint32_t neurons = 1003; // neither a multiple of 8 nor of a block
constexpr std::uint32_t context = 16;

/// A layer and, for each neuron, its figures straight from the raw values.
struct Fixture {
    profile::LayerProfile layer;
    std::vector<test::NaiveNeuron> naive;
    std::vector<float> norms;
    double typical_output = 0;
};

Fixture make_fixture(std::uint64_t seed, bool with_non_finite = false) {
    auto sequences = test::random_sequences(4, context, neurons, seed);
    if (with_non_finite) {
        for (std::size_t at = 0; at < sequences[1].h.size(); at += 5) sequences[1].h[at] = INFINITY;
        for (auto& sequence : sequences)
            for (std::size_t at = 17; at < sequence.h.size(); at += neurons) sequence.gate[at] = NAN;
    }
    const auto norms = test::random_norms(neurons, seed + 1);
    Fixture fixture{
        profile::LayerProfile(test::naive_statistics(sequences, neurons, context, norms)), {}, norms};
    double squares = 0;
    for (std::size_t i = 0; i < neurons; ++i) {
        fixture.naive.push_back(test::naive_neuron(sequences, neurons, i));
        const double part = fixture.naive[i].rms * norms[i];
        if (std::isfinite(part)) squares += part * part;
    }
    fixture.typical_output = std::sqrt(squares);
    return fixture;
}

/// The rule's definition, read off the header's words. The activation threshold must be an edge.
struct Expected {
    bool frozen, saturated, guarded;
};

Expected naive_verdict(const Fixture& fixture, const FreezeRule& rule, std::size_t i) {
    const auto& neuron = fixture.naive[i];
    const bool variance = neuron.variance < rule.variance_threshold;
    const bool gradient = std::fabs(neuron.mean) < rule.gradient_threshold;
    const auto below = static_cast<double>(neuron.below(static_cast<float>(rule.activation_threshold)));
    const bool activity = below > rule.inactive_share * static_cast<double>(neuron.count);
    bool wanted = rule.combine == FreezeRule::Combine::All;
    const auto consider = [&](bool used, bool met) {
        if (used) wanted = rule.combine == FreezeRule::Combine::All ? wanted && met : wanted || met;
    };
    consider(rule.use_variance, variance);
    consider(rule.use_gradient, gradient);
    consider(rule.use_activity, activity);
    wanted = wanted && neuron.count > 0;
    const bool spike =
        rule.guard && neuron.peak * fixture.norms[i] >= rule.guard_ratio * fixture.typical_output;
    return {wanted && !spike, wanted && !spike && variance && gradient && activity, wanted && spike};
}

void compare_with_naive(const Fixture& fixture, const FreezeRule& rule) {
    const LayerMask mask = freeze_layer(fixture.layer, rule);
    for (std::size_t i = 0; i < neurons; ++i) {
        const Expected expected = naive_verdict(fixture, rule, i);
        QCOMPARE(mask.frozen.test(i), expected.frozen);
        QCOMPARE(mask.saturated.test(i), expected.saturated);
        QCOMPARE(mask.guarded.test(i), expected.guarded);
    }
}

std::vector<std::string> criteria_rules() {
    return {"variance+gradient", "variance", "gradient", "activity",          "variance+activity",
            "gradient+activity", "all",      "any",      "variance|gradient", "variance|activity",
            "gradient|activity"};
}

/// Thresholds that divide the random neurons, with the guard strict enough to act.
FreezeRule dividing(const std::string& name) {
    FreezeRule base;
    base.variance_threshold = 0.02;
    base.gradient_threshold = 0.003;
    base.guard_ratio = 0.002;
    return parse_rule(name, base).value();
}

bool is_subset(const Bitmask& part, const Bitmask& whole) {
    for (std::size_t i = 0; i < part.size(); ++i)
        if (part.test(i) && !whole.test(i)) return false;
    return true;
}

Bitmask frozen_by(const profile::LayerProfile& layer, FreezeRule rule, double FreezeRule::*threshold,
                  double value) {
    rule.*threshold = value;
    return freeze_layer(layer, rule).frozen;
}

} // namespace

class TestFreezeLayer : public QObject {
    Q_OBJECT

  private slots:
    void every_rule_agrees_with_plain_loops_over_the_tokens() {
        const auto fixture = make_fixture(1);
        for (const auto& name : criteria_rules()) {
            FreezeRule rule = dividing(name);
            compare_with_naive(fixture, rule);
            const auto count = freeze_layer(fixture.layer, rule).frozen.count();
            QVERIFY2(count > 0 && count < neurons, name.c_str());
            rule.guard = false;
            compare_with_naive(fixture, rule);
            QCOMPARE(freeze_layer(fixture.layer, rule).guarded.count(), std::size_t{0});
        }
        QVERIFY(freeze_layer(fixture.layer, dividing("any")).guarded.count() > 0);
    }

    void tokens_left_out_count_for_no_one() {
        const auto fixture = make_fixture(2, true);
        QVERIFY(fixture.layer.non_finite() > 0);
        for (const auto& name : criteria_rules()) compare_with_naive(fixture, dividing(name));
        QVERIFY(!freeze_layer(fixture.layer, dividing("any")).frozen.test(17)); // no finite token at all
    }

    void a_variance_at_its_threshold_is_not_low() {
        const auto layer = test::layer_of({{.variance = 0.25}});
        FreezeRule rule = parse_rule("variance").value();
        rule.guard = false;
        rule.variance_threshold = 0.25;
        QCOMPARE(freeze_layer(*layer, rule).frozen.count(), std::size_t{0});
        rule.variance_threshold = std::nextafter(0.25, 1.0); // between two floats
        QCOMPARE(freeze_layer(*layer, rule).frozen.count(), std::size_t{1});
    }

    void exactly_the_inactive_share_is_not_low_activity() {
        const auto layer = test::layer_of({{.low_share = 0.8}, {.low_share = 0.801}});
        FreezeRule rule = parse_rule("activity").value();
        rule.guard = false;
        const auto mask = freeze_layer(*layer, rule);
        QVERIFY(!mask.frozen.test(0));
        QVERIFY(mask.frozen.test(1));
    }

    void nothing_lies_below_an_activation_threshold_under_the_first_edge() {
        const auto layer = test::layer_of({{.mean = 0, .variance = 0, .low_share = 1, .peak = 0}});
        FreezeRule rule = parse_rule("activity").value();
        rule.activation_threshold = 0.00009;
        QCOMPARE(freeze_layer(*layer, rule).frozen.count(), std::size_t{0});
        rule.activation_threshold = 0.0001;
        QCOMPARE(freeze_layer(*layer, rule).frozen.count(), std::size_t{1});
    }

    void a_spike_at_the_guard_ratio_is_guarded() {
        // One lively neuron of RMS 4 and norm 1 makes a typical output of (almost) 4; an eighth of it guards.
        const auto layer = test::layer_of({{.mean = 0, .variance = 16, .peak = 9},
                                           {.mean = 0, .variance = 0, .peak = 0.5f},
                                           {.mean = 0, .variance = 0, .peak = std::nextafter(0.5f, 0.0f)}});
        const auto mask = freeze_layer(*layer, FreezeRule{});
        QVERIFY(mask.guarded.test(1) && !mask.frozen.test(1));
        QVERIFY(!mask.guarded.test(2) && mask.frozen.test(2));
        QVERIFY(!mask.guarded.test(0)); // not frozen anyway
    }

    void a_silent_layer_is_frozen_not_guarded() {
        const auto layer = test::layer_of({{.mean = 0, .variance = 0, .low_share = 1, .peak = 0}});
        const auto mask = freeze_layer(*layer, FreezeRule{});
        QVERIFY(mask.frozen.test(0) && mask.saturated.test(0) && !mask.guarded.test(0));
    }

    void a_down_column_that_is_not_a_number_is_left_alone() {
        const auto layer =
            test::layer_of({{.variance = 0, .down_norm = std::numeric_limits<float>::quiet_NaN()}});
        for (const bool guard : {true, false}) {
            FreezeRule rule;
            rule.guard = guard;
            const auto mask = freeze_layer(*layer, rule);
            QCOMPARE(mask.frozen.count() + mask.guarded.count(), std::size_t{0});
        }
    }

    void saturated_is_a_part_of_frozen() {
        const auto fixture = make_fixture(3);
        for (const auto& name : {"variance+gradient", "activity", "any", "all", "quantile:0.4", "impact:0.3",
                                 "variance_gradient:0.6"}) {
            const auto mask = freeze_layer(fixture.layer, dividing(name));
            QVERIFY(is_subset(mask.saturated, mask.frozen));
        }
    }

    void tightening_a_threshold_never_adds_a_neuron() {
        const auto fixture = make_fixture(4);
        for (const auto& name : criteria_rules()) {
            const FreezeRule rule = dividing(name);
            for (double factor = 4; factor > 0.01; factor *= 0.7) {
                const double tighter = 0.7 * factor;
                for (const auto threshold : {&FreezeRule::variance_threshold, &FreezeRule::gradient_threshold,
                                             &FreezeRule::activation_threshold})
                    QVERIFY(is_subset(frozen_by(fixture.layer, rule, threshold, rule.*threshold * tighter),
                                      frozen_by(fixture.layer, rule, threshold, rule.*threshold * factor)));
            }
            for (double share = 0; share < 1; share += 0.1)
                QVERIFY(is_subset(frozen_by(fixture.layer, rule, &FreezeRule::inactive_share, share + 0.1),
                                  frozen_by(fixture.layer, rule, &FreezeRule::inactive_share, share)));
        }
    }

    void the_guard_only_removes() {
        const auto fixture = make_fixture(5);
        for (const auto& name :
             {"variance+gradient", "any", "quantile:0.4", "impact:0.3", "variance_gradient:0.6"}) {
            FreezeRule rule = dividing(name);
            const auto with = freeze_layer(fixture.layer, rule);
            rule.guard = false;
            const auto without = freeze_layer(fixture.layer, rule);
            QVERIFY(is_subset(with.frozen, without.frozen));
            QCOMPARE(with.frozen.count() + with.guarded.count(), without.frozen.count());
        }
    }

    void ranking_rules_freeze_the_smallest_share() {
        const auto fixture = make_fixture(6, true);
        for (const double share : {0.0, 0.001, 0.05, 0.5, 0.999, 1.0}) {
            for (const bool by_rms : {true, false}) {
                FreezeRule rule;
                rule.method = by_rms ? FreezeRule::Method::Quantile : FreezeRule::Method::Impact;
                rule.quantile = share;
                rule.guard = false;
                const auto values = by_rms ? fixture.layer.rms() : fixture.layer.impact();
                std::vector<std::size_t> order(neurons);
                for (std::size_t i = 0; i < neurons; ++i) order[i] = i;
                std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                    return (std::isnan(values[a]) ? INFINITY : values[a]) <
                           (std::isnan(values[b]) ? INFINITY : values[b]);
                });
                Bitmask expected(neurons);
                for (std::size_t k = 0; k < static_cast<std::size_t>(share * neurons); ++k)
                    if (!std::isnan(values[order[k]])) expected.set(order[k]);
                QVERIFY(freeze_layer(fixture.layer, rule).frozen == expected);
            }
        }
    }

    void variance_gradient_wants_both_among_the_smallest() {
        const auto fixture = make_fixture(8);
        const auto& layer = fixture.layer;
        const auto smallest = [&](std::span<const float> values, std::size_t count) {
            std::vector<std::size_t> order(neurons);
            for (std::size_t i = 0; i < neurons; ++i) order[i] = i;
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
            return std::set<std::size_t>(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
        };
        std::vector<float> steps(neurons);
        for (std::size_t i = 0; i < neurons; ++i) steps[i] = static_cast<float>(layer.temporal_gradient(i));
        for (const double share : {0.0, 0.2, 0.6, 1.0}) {
            FreezeRule rule = parse_rule("variance_gradient").value();
            rule.quantile = share;
            rule.guard = false;
            const auto count = static_cast<std::size_t>(share * neurons);
            const auto low = smallest(layer.variance(), count), steady = smallest(steps, count);
            const auto mask = freeze_layer(layer, rule);
            for (std::size_t i = 0; i < neurons; ++i)
                QCOMPARE(mask.frozen.test(i), low.contains(i) && steady.contains(i));
        }
    }

    void of_equal_values_the_lower_index_is_frozen() {
        const auto layer = test::layer_of(std::vector<test::NeuronFigures>(10, {.mean = 0, .variance = 1}));
        FreezeRule rule = parse_rule("quantile:0.3").value();
        rule.guard = false;
        const auto mask = freeze_layer(*layer, rule);
        for (std::size_t i = 0; i < 10; ++i) QCOMPARE(mask.frozen.test(i), i < 3);
    }

    void a_share_is_not_lost_to_rounding() {
        const auto layer = test::layer_of(std::vector<test::NeuronFigures>(100, {.mean = 0, .variance = 1}));
        FreezeRule rule = parse_rule("quantile:0.29").value(); // 0.29 * 100 < 29 in f64
        rule.guard = false;
        QCOMPARE(freeze_layer(*layer, rule).frozen.count(), std::size_t{29});
    }
};

QTEST_APPLESS_MAIN(TestFreezeLayer)
#include "tst_freeze_layer.moc"
