// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/rule_json.h"

#include <array>

namespace permafrost::masks {
namespace {

struct Number {
    const char* key;
    double FreezeRule::*member;
};
constexpr std::array numbers{Number{"variance_threshold", &FreezeRule::variance_threshold},
                             Number{"gradient_threshold", &FreezeRule::gradient_threshold},
                             Number{"activation_threshold", &FreezeRule::activation_threshold},
                             Number{"inactive_share", &FreezeRule::inactive_share},
                             Number{"guard_ratio", &FreezeRule::guard_ratio}};

} // namespace

nlohmann::ordered_json rule_to_json(const FreezeRule& rule) {
    nlohmann::ordered_json json{{"rule", rule_name(rule)}};
    for (const auto& number : numbers) json[number.key] = rule.*number.member;
    json["guard"] = rule.guard;
    if (rule.layers)
        json["layers"] = std::to_string(rule.layers->first) + "-" + std::to_string(rule.layers->second);
    for (const auto& [layer, own] : rule.layer_rules)
        if (!own.follows_the_rule()) json["layer_rules"].push_back(layer_rule_text(layer, own));
    return json;
}

Result<FreezeRule> rule_from_json(const nlohmann::json& json) {
    if (!json.is_object()) return Error{"the rule is no JSON object"};
    FreezeRule rule;
    for (const auto& number : numbers) {
        const auto value = json.value(number.key, nlohmann::json());
        if (value.is_null()) continue;
        if (!value.is_number()) return Error{"the rule's " + std::string(number.key) + " is no number"};
        rule.*number.member = value.get<double>();
    }
    const auto guard = json.value("guard", nlohmann::json());
    if (!guard.is_null() && !guard.is_boolean()) return Error{"the rule's guard is neither true nor false"};
    if (guard.is_boolean()) rule.guard = guard.get<bool>();
    for (const char* key : {"rule", "layers"}) {
        const auto text = json.value(key, nlohmann::json());
        if (!text.is_null() && !text.is_string())
            return Error{"the rule's " + std::string(key) + " is no text"};
    }
    if (json.contains("rule") && json["rule"].is_string()) {
        PERMAFROST_TRY(rule, parse_rule(json["rule"].get<std::string>(), rule));
    }
    if (json.contains("layers") && json["layers"].is_string()) {
        PERMAFROST_TRY(rule.layers, parse_layers(json["layers"].get<std::string>()));
    }
    const auto layer_rules = json.value("layer_rules", nlohmann::json());
    if (!layer_rules.is_null() && !layer_rules.is_array()) return Error{"the rule's layer_rules are no list"};
    for (const auto& text : layer_rules) {
        if (!text.is_string()) return Error{"one of the rule's layer_rules is no text"};
        PERMAFROST_CHECK(parse_layer_rule(text.get<std::string>(), rule.layer_rules));
    }
    PERMAFROST_CHECK(validate(rule));
    return rule;
}

} // namespace permafrost::masks
