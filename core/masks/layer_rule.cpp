// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/layer_rule.h"

#include "core/base/number_text.h"
#include "core/masks/freeze_rule.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace permafrost::masks {
namespace {

struct Number {
    std::string_view name;
    std::optional<double> LayerRule::*own;
    double FreezeRule::*common;
};
constexpr std::array numbers{
    Number{"variance", &LayerRule::variance_threshold, &FreezeRule::variance_threshold},
    Number{"gradient", &LayerRule::gradient_threshold, &FreezeRule::gradient_threshold},
    Number{"activation", &LayerRule::activation_threshold, &FreezeRule::activation_threshold},
    Number{"inactive", &LayerRule::inactive_share, &FreezeRule::inactive_share},
    Number{"quantile", &LayerRule::quantile, &FreezeRule::quantile},
    Number{"guard", &LayerRule::guard_ratio, &FreezeRule::guard_ratio}};

constexpr std::uint32_t most_layers = 4096; // bounds what "0-4294967295:off" would make

Error unreadable(std::string_view text) {
    return Error{"Cannot read the layer rule \"" + std::string(text) +
                 "\": write layers, a colon, and off or numbers, as 12-15:variance=0.02,gradient=0.001; the "
                 "numbers are variance, gradient, activation, inactive, quantile and guard."};
}

Result<void> read_difference(std::string_view item, std::string_view text, LayerRule& rule) {
    if (item == "off") {
        rule.included = false;
        return {};
    }
    const auto sign = item.find('=');
    if (sign == std::string_view::npos) return unreadable(text);
    const auto value = item.substr(sign + 1);
    for (const auto& number : numbers) {
        if (number.name != item.substr(0, sign)) continue;
        double read = 0;
        const auto end = std::from_chars(value.data(), value.data() + value.size(), read);
        if (end.ec != std::errc{} || end.ptr != value.data() + value.size()) return unreadable(text);
        rule.*number.own = read;
        return {};
    }
    return unreadable(text);
}

} // namespace

double FreezeRule::*number_named(std::string_view name) {
    for (const auto& number : numbers)
        if (number.name == name) return number.common;
    return nullptr;
}

bool LayerRule::has_own_numbers() const {
    return std::any_of(numbers.begin(), numbers.end(),
                       [this](const Number& number) { return (this->*number.own).has_value(); });
}

std::optional<double> LayerRule::*own_number(double FreezeRule::*of_the_rule) {
    for (const auto& number : numbers)
        if (number.common == of_the_rule) return number.own;
    return nullptr;
}

Result<void> parse_layer_rule(std::string_view text, LayerRules& rules) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return unreadable(text);
    PERMAFROST_TRY(const auto layers, parse_layers(text.substr(0, colon)));
    if (layers.second >= most_layers) return unreadable(text);
    LayerRule read;
    for (auto rest = text.substr(colon + 1);;) {
        const auto comma = rest.find(',');
        PERMAFROST_CHECK(read_difference(rest.substr(0, comma), text, read));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    for (auto layer = layers.first; layer <= layers.second; ++layer) {
        auto& rule = rules[layer];
        rule.included = rule.included && read.included;
        for (const auto& number : numbers)
            if (read.*number.own) rule.*number.own = read.*number.own;
    }
    return {};
}

std::string differences_text(const LayerRule& rule) {
    std::string text = rule.included ? "" : "off";
    for (const auto& number : numbers) {
        const auto& own = rule.*number.own;
        if (!own) continue;
        if (!text.empty()) text += ',';
        text.append(number.name).append("=").append(shortest_text(*own));
    }
    return text;
}

std::string layer_rule_text(std::uint32_t layer, const LayerRule& rule) {
    return std::to_string(layer) + ":" + differences_text(rule);
}

bool FreezeRule::includes(std::uint32_t layer) const {
    if (layers && (layer < layers->first || layer > layers->second)) return false;
    const auto own = layer_rules.find(layer);
    return own == layer_rules.end() || own->second.included;
}

FreezeRule FreezeRule::for_layer(std::uint32_t layer) const {
    FreezeRule rule = *this;
    rule.layer_rules.clear();
    const auto own = layer_rules.find(layer);
    if (own == layer_rules.end()) return rule;
    for (const auto& number : numbers)
        if (const auto& value = own->second.*number.own) rule.*number.common = *value;
    return rule;
}

} // namespace permafrost::masks
