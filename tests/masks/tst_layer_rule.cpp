// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/least_harm.h"
#include "core/masks/rule_json.h"
#include "core/profile/output_scale.h"
#include "core/profile/sample_profile.h"
#include "core/verdict/decision.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace permafrost;
using namespace permafrost::masks;

class TestLayerRule : public QObject {
    Q_OBJECT

  private slots:
    void texts_are_read_and_written_back() {
        LayerRules rules;
        QVERIFY(parse_layer_rule("12-14:variance=0.02,gradient=0.001", rules).ok());
        QVERIFY(parse_layer_rule("3:off", rules).ok());
        QVERIFY(parse_layer_rule("13:guard=1.5,quantile=0.25,activation=0.1,inactive=0.9", rules).ok());
        QCOMPARE(rules.size(), std::size_t{4});
        QCOMPARE(layer_rule_text(12, rules[12]), std::string("12:variance=0.02,gradient=0.001"));
        QCOMPARE(layer_rule_text(3, rules[3]), std::string("3:off"));
        LayerRules again;
        for (const auto& [layer, rule] : rules)
            QVERIFY(parse_layer_rule(layer_rule_text(layer, rule), again).ok());
        QVERIFY(again == rules);
    }

    void what_is_no_layer_rule_is_refused() {
        for (const auto* text : {"", ":", "3", "3:", "x:off", "3:variance", "3:variance=", "3:variance=x",
                                 "3:variance=1,", "3:colour=1", "5-3:off", "0-4294967295:off"}) {
            LayerRules rules;
            QVERIFY2(!parse_layer_rule(text, rules).ok(), text);
            QVERIFY2(rules.empty(), text);
        }
    }

    void a_layer_has_its_own_numbers_and_others_follow_the_rule() {
        const auto profile = profile::sample_profile(6, 512, 3);
        FreezeRule rule;
        QVERIFY(parse_layer_rule("2:variance=1,gradient=1", rule.layer_rules).ok());
        QVERIFY(parse_layer_rule("4:off", rule.layer_rules).ok());
        FreezeRule wide;
        wide.variance_threshold = wide.gradient_threshold = 1;
        const auto decision = verdict::decide(*profile, rule);
        const auto plain = verdict::decide(*profile, {});
        QVERIFY(decision.masks[1].frozen == plain.masks[1].frozen);
        QVERIFY(decision.masks[2].frozen == verdict::decide(*profile, wide).masks[2].frozen);
        QVERIFY(decision.masks[2].frozen.count() > plain.masks[2].frozen.count());
        QCOMPARE(decision.masks[4].frozen.count(), std::size_t{0});
        QVERIFY(plain.masks[4].frozen.count() > 0);
    }

    void own_numbers_out_of_range_and_layers_that_do_not_exist_are_refused() {
        FreezeRule rule;
        rule.layer_rules[7].variance_threshold = -1;
        QVERIFY(!validate(rule, 8).ok());
        rule.layer_rules[7].variance_threshold = 1;
        QVERIFY(validate(rule, 8).ok());
        QVERIFY(!validate(rule, 7).ok());
    }

    void they_survive_json() {
        FreezeRule rule;
        QVERIFY(parse_layer_rule("2-3:variance=0.1", rule.layer_rules).ok());
        QVERIFY(parse_layer_rule("9:off,guard=2", rule.layer_rules).ok());
        const auto read = rule_from_json(rule_to_json(rule));
        QVERIFY(read.ok());
        QVERIFY(read.value() == rule);
        QVERIFY(!rule_from_json({{"layer_rules", "2:off"}}).ok());
        QVERIFY(!rule_from_json({{"layer_rules", {"2:of"}}}).ok());
    }

    /// Against a plain sort over all neurons.
    void least_harm_takes_the_least_harmful_neurons_of_all_layers() {
        const auto profile = profile::sample_profile(5, 700, 11);
        for (const double share : {0.0, 0.013, 0.2, 0.5}) {
            FreezeRule base;
            base.guard_ratio = 2;
            base.layer_rules[3].included = false;
            const auto solved = freeze_at_least_harm(*profile, base, share);
            QVERIFY2(solved.ok(), solved.message().c_str());
            const auto decision = verdict::decide(*profile, solved.value());

            struct Neuron {
                float harm;
                std::uint32_t layer, index;
            };
            std::vector<Neuron> all;
            const auto scales = profile::output_scales(*profile);
            for (std::uint32_t layer = 0; layer < 5; ++layer) {
                if (layer == 3) continue;
                const auto& statistics = *profile->layers[layer];
                for (std::uint32_t i = 0; i < 700; ++i)
                    if (statistics.guard_score()[i] < 2 * statistics.typical_output())
                        all.push_back({static_cast<float>(statistics.impact()[i] / scales[layer]), layer, i});
            }
            std::stable_sort(all.begin(), all.end(),
                             [](const Neuron& one, const Neuron& other) { return one.harm < other.harm; });
            const auto wanted =
                std::min(all.size(), static_cast<std::size_t>(std::floor(share * 3500 + 1e-9)));
            QCOMPARE(decision.frozen, std::uint64_t{wanted});
            for (std::size_t i = 0; i < wanted; ++i)
                QVERIFY(decision.masks[all[i].layer].frozen.test(all[i].index));
        }
        QVERIFY(!freeze_at_least_harm(*profile, {}, 1.5).ok());
        QVERIFY(!freeze_at_least_harm(profile::Profile{}, {}, 0.5).ok());
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(freeze_at_least_harm(*profile, {}, 0.5, stop.get_token()).cancelled());
    }
};

QTEST_APPLESS_MAIN(TestLayerRule)
#include "tst_layer_rule.moc"
