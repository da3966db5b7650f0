// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/freeze_rule.h"
#include "tests/support/synthetic_profile.h"

#include <QtTest>

using namespace permafrost;
using namespace permafrost::masks;

namespace {

std::string reason(const std::vector<test::NeuronFigures>& figures,
                   const char* rule_text = "variance+gradient") {
    const auto layer = test::layer_of(figures);
    const auto rule = parse_rule(rule_text).value();
    return explain(*layer, rule, freeze_layer(*layer, rule), 0).reason;
}

constexpr test::NeuronFigures lively{.mean = 0.5, .variance = 16, .peak = 9};

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

  private slots:
    void a_frozen_neuron_names_the_criteria_it_meets() {
        const test::NeuronFigures quiet{.mean = 0, .variance = 1e-4, .low_share = 1, .peak = 0.1f};
        QCOMPARE(reason({quiet, lively}), std::string("low variance, zero gradient"));
        QCOMPARE(reason({quiet, lively}, "all"), std::string("low variance, zero gradient, low activity"));
        QCOMPARE(reason({quiet, lively}, "activity"), std::string("low activity"));
    }

    void an_active_neuron_names_what_it_misses() {
        QCOMPARE(reason({{.mean = 0, .variance = 0.3125}, lively}),
                 std::string("active: variance 0.312 >= 0.01"));
        QCOMPARE(reason({{.mean = 0.5, .variance = 0.001}, lively}),
                 std::string("active: |mean| 0.5 >= 0.001"));
        QCOMPARE(reason({{.low_share = 0.25}, lively}, "activity"),
                 std::string("active: inactive on 25 % of tokens, not more than 80 %"));
    }

    void a_guarded_neuron_says_what_guards_it() {
        const auto text = reason({{.mean = 0, .variance = 0, .peak = 3, .down_norm = 2}, lively});
        QVERIFY2(text.starts_with(
                     "guarded: peak 3 times down norm 2 reaches 0.125 times the layer's typical output 4.0"),
                 text.c_str());
    }

    void ranking_rules_speak_of_rank() {
        QCOMPARE(reason({{.mean = 0, .variance = 0, .peak = 0}, lively}, "quantile:0.5"),
                 std::string("RMS 0 is among the layer's smallest 50 %"));
        QCOMPARE(reason({lively, {.mean = 0, .variance = 0, .peak = 0}}, "impact:0.5"),
                 std::string("active: impact 4 is not among the layer's smallest 50 %"));
    }

    void a_neuron_of_a_layer_that_is_not_chosen_says_so() {
        const auto layer = test::layer_of({{.mean = 0, .variance = 0, .peak = 0}});
        const LayerMask empty{Bitmask(1), Bitmask(1), Bitmask(1)};
        QCOMPARE(explain(*layer, {}, empty, 0, false).reason,
                 std::string("active: the layer is not among those chosen"));
        QCOMPARE(explain(*layer, parse_rule("impact:1").value(), empty, 0, false).reason,
                 std::string("active: the layer is not among those chosen"));
    }

    void explanations_agree_with_the_mask() {
        const auto profile = test::synthetic_profile(1, 500, 3);
        for (const auto& name :
             {"variance+gradient", "any", "all", "quantile:0.2", "impact:0.2", "variance_gradient:0.5"}) {
            FreezeRule rule = parse_rule(name).value();
            rule.guard_ratio = 0.01;
            const auto mask = freeze_layer(*profile->layers[0], rule);
            for (std::size_t i = 0; i < 500; ++i) {
                const auto verdict = explain(*profile->layers[0], rule, mask, i);
                QCOMPARE(verdict.frozen, mask.frozen.test(i));
                QCOMPARE(verdict.reason.starts_with("guarded"), mask.guarded.test(i));
                QCOMPARE(verdict.reason.starts_with("active"), !mask.frozen.test(i) && !mask.guarded.test(i));
                if (mask.saturated.test(i))
                    QVERIFY(verdict.low_variance && verdict.zero_gradient && verdict.low_activity);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestExplain)
#include "tst_explain.moc"
