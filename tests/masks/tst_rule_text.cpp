// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/freeze_rule.h"

#include <QtTest>

#include <limits>

using namespace permafrost;
using namespace permafrost::masks;

class TestRuleText : public QObject {
    Q_OBJECT

  private slots:
    void names_read_back_to_themselves() {
        for (const auto& name :
             {"variance+gradient", "all", "any", "variance", "gradient", "activity", "variance+activity",
              "gradient+activity", "variance|gradient", "variance|activity", "gradient|activity",
              "quantile:0.05", "impact:0.125", "quantile:1", "variance_gradient:0.2"}) {
            const auto rule = parse_rule(name);
            QVERIFY2(rule.ok(), name);
            QCOMPARE(rule_name(rule.value()), std::string(name));
        }
    }

    void the_default_rule_is_the_seeds() {
        QVERIFY(parse_rule("variance+gradient").value() == FreezeRule{});
        QCOMPARE(method_description({}), std::string("variance + gradient tracking"));
        QCOMPARE(method_identifier({}), std::string("variance_gradient_tracking"));
    }

    void every_rule_has_words_and_an_identifier() {
        const auto rule = [](const char* name) { return parse_rule(name).value(); };
        QCOMPARE(method_description(rule("activity")), std::string("activity counting"));
        QCOMPARE(method_identifier(rule("activity")), std::string("activity_counting"));
        QCOMPARE(method_description(rule("any")), std::string("variance or gradient or activity tracking"));
        QCOMPARE(method_identifier(rule("variance|activity")), std::string("variance_or_activity_tracking"));
        QCOMPARE(method_identifier(rule("quantile:0.05")), std::string("statistical"));
        QCOMPARE(method_description(rule("quantile:0.05")),
                 std::string("statistical: smallest 5 % of each layer by RMS"));
        QCOMPARE(method_identifier(rule("impact:0.1")), std::string("impact"));
    }

    void the_seeds_names_of_methods_are_known() {
        QCOMPARE(rule_name(parse_rule("variance_gradient").value()), std::string("variance_gradient:0.2"));
        QCOMPARE(rule_name(parse_rule("activity_counting").value()), std::string("activity"));
        QCOMPARE(rule_name(parse_rule("statistical").value()), std::string("quantile:0.05"));
        QCOMPARE(rule_name(parse_rule("statistical:0.1").value()), std::string("quantile:0.1"));
        const auto rule = parse_rule("variance_gradient:0.1").value();
        QCOMPARE(method_identifier(rule), std::string("variance_gradient"));
        QCOMPARE(method_description(rule),
                 std::string(
                     "variance gradient: smallest 10 % of each layer by variance and by temporal gradient"));
    }

    void the_order_of_criteria_does_not_matter() {
        QVERIFY(parse_rule("activity+variance").value() == parse_rule("variance+activity").value());
        QVERIFY(parse_rule("gradient|activity|variance").value() == parse_rule("any").value());
    }

    void a_rule_keeps_the_thresholds_of_its_base() {
        FreezeRule base;
        base.variance_threshold = 0.5;
        base.guard = false;
        const auto rule = parse_rule("any", base).value();
        QCOMPARE(rule.variance_threshold, 0.5);
        QVERIFY(!rule.guard);
    }

    void what_is_no_rule_is_refused_with_the_choices() {
        for (const auto& text : {"", "varianz", "variance+", "+variance", "variance++gradient", "|",
                                 "quantile", "variance gradient", "median:0.1", "VARIANCE"}) {
            const auto rule = parse_rule(text);
            QVERIFY2(!rule.ok(), text);
            QVERIFY(rule.message().find("variance+gradient") != std::string::npos);
        }
        for (const auto& text :
             {"quantile:", "quantile:x", "quantile:1.5", "quantile:-0.1", "impact:nan", "impact:0.1x"})
            QVERIFY2(!parse_rule(text).ok(), text);
        QVERIFY(parse_rule("variance+gradient|activity").message().find("mixes") != std::string::npos);
    }

    void sensible_rules_are_valid() {
        QVERIFY(validate({}).ok());
        FreezeRule rule;
        rule.variance_threshold = 0;
        rule.inactive_share = 1;
        rule.layers = {{24, 31}};
        QVERIFY(validate(rule, 32).ok());
        QVERIFY(validate(rule).ok());
    }

    void values_out_of_range_are_named() {
        const auto message_of = [](auto change) {
            FreezeRule rule;
            change(rule);
            return validate(rule, 32).message();
        };
        const auto names = [](const std::string& message, const char* word) {
            return message.find(word) != std::string::npos;
        };
        QVERIFY(
            names(message_of([](FreezeRule& r) { r.variance_threshold = -1; }), "variance threshold is -1"));
        QVERIFY(names(message_of([](FreezeRule& r) { r.gradient_threshold = 1.0 / 0.0; }),
                      "gradient threshold is inf"));
        QVERIFY(names(message_of([](FreezeRule& r) { r.activation_threshold = 0.0 / 0.0; }),
                      "activation threshold"));
        QVERIFY(names(message_of([](FreezeRule& r) { r.inactive_share = 1.01; }), "inactive"));
        QVERIFY(names(message_of([](FreezeRule& r) { r.guard_ratio = -0.1; }), "guard"));
        QVERIFY(names(message_of([](FreezeRule& r) { r.quantile = 2; }), "neurons to freeze"));
        QVERIFY(
            names(message_of([](FreezeRule& r) { r.use_variance = r.use_gradient = false; }), "criterion"));
        QVERIFY(names(message_of([](FreezeRule& r) { r.layers = {{3, 2}}; }), "wrong order"));
        QVERIFY(names(message_of([](FreezeRule& r) { r.layers = {{3, 32}}; }), "31"));
    }

    void layers_are_one_number_or_a_range() {
        QCOMPARE(parse_layers("7").value(), std::make_pair(7u, 7u));
        QCOMPARE(parse_layers("24-31").value(), std::make_pair(24u, 31u));
        for (const auto& text : {"", "-", "7-", "-7", "a", "1-2-3", "5-4", "1 - 2", "99999999999"})
            QVERIFY2(!parse_layers(text).ok(), text);
    }
};

QTEST_APPLESS_MAIN(TestRuleText)
#include "tst_rule_text.moc"
