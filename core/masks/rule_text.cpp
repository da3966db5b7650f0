// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/masks/freeze_rule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace permafrost::masks {
namespace {

using Method = FreezeRule::Method;
using Combine = FreezeRule::Combine;

constexpr std::string_view known_rules =
    "variance+gradient, all, any, variance, gradient, activity, "
    "quantile:Q, impact:Q, variance_gradient:Q, or criteria joined by + or |";

std::string quoted(std::string_view text) {
    std::string result(1, '"');
    result.append(text);
    return result += '"';
}

Error unknown_rule(std::string_view text) {
    return Error{"Unknown rule " + quoted(text) + ": use " + std::string(known_rules) + "."};
}

FreezeRule with_criteria(FreezeRule rule, bool variance, bool gradient, bool activity, Combine combine) {
    rule.method = Method::Criteria;
    rule.use_variance = variance;
    rule.use_gradient = gradient;
    rule.use_activity = activity;
    rule.combine = combine;
    return rule;
}

Result<FreezeRule> parse_ranking(std::string_view text, std::string_view share, Method method,
                                 FreezeRule rule) {
    double quantile = 0;
    const auto end = std::from_chars(share.data(), share.data() + share.size(), quantile);
    if (end.ec != std::errc{} || end.ptr != share.data() + share.size() || !(quantile >= 0 && quantile <= 1))
        return Error{"Rule " + quoted(text) +
                     " needs a share from 0 to 1 after the colon, such as quantile:0.05."};
    rule.method = method;
    rule.quantile = quantile;
    return rule;
}

/// The methods that rank neurons, each under its name and the seeds'.
struct Ranking {
    std::string_view name;
    Method method;
    std::optional<double> otherwise; ///< the share of a name without one
};
constexpr std::array rankings{
    Ranking{"quantile", Method::Quantile, std::nullopt}, Ranking{"impact", Method::Impact, std::nullopt},
    Ranking{"variance_gradient", Method::VarianceGradient, default_variance_quantile},
    Ranking{"statistical", Method::Quantile, default_quantile}};

Result<FreezeRule> parse_criteria(std::string_view text, FreezeRule rule) {
    const bool any = text.find('|') != std::string_view::npos;
    if (any && text.find('+') != std::string_view::npos)
        return Error{"Rule " + quoted(text) +
                     " mixes + (all of them) and | (any of them): use one of the two."};
    rule = with_criteria(rule, false, false, false, any ? Combine::Any : Combine::All);
    std::string_view rest = text;
    while (true) {
        const auto separator = rest.find(any ? '|' : '+');
        const auto criterion = rest.substr(0, separator);
        if (criterion == "variance")
            rule.use_variance = true;
        else if (criterion == "gradient")
            rule.use_gradient = true;
        else if (criterion == "activity")
            rule.use_activity = true;
        else
            return unknown_rule(text);
        if (separator == std::string_view::npos) return rule;
        rest.remove_prefix(separator + 1);
    }
}

/// The chosen criteria's names with `separator` between them.
std::string join_criteria(const FreezeRule& rule, std::string_view separator) {
    std::string text;
    const std::array<std::pair<bool, std::string_view>, 3> criteria{
        {{rule.use_variance, "variance"}, {rule.use_gradient, "gradient"}, {rule.use_activity, "activity"}}};
    for (const auto& [used, name] : criteria) {
        if (!used) continue;
        if (!text.empty()) text += separator;
        text += name;
    }
    return text;
}

bool only_activity(const FreezeRule& rule) {
    return rule.use_activity && !rule.use_variance && !rule.use_gradient;
}

bool has_all_criteria(const FreezeRule& rule) {
    return rule.use_variance && rule.use_gradient && rule.use_activity;
}

Result<void> check_threshold(double value, std::string_view name) {
    if (std::isfinite(value) && value >= 0) return {};
    return Error{"The " + std::string(name) + " is " + general_text(value) +
                 "; it must be a number from 0 up."};
}

Result<void> check_share(double value, std::string_view name) {
    if (value >= 0 && value <= 1) return {};
    return Error{"The " + std::string(name) + " is " + general_text(value) +
                 "; it must lie between 0 and 1."};
}

Result<void> check_layers(std::uint32_t first, std::uint32_t last, std::uint32_t layer_count) {
    const std::string range = std::to_string(first) + "-" + std::to_string(last);
    if (first > last)
        return Error{"The layers " + range + " are in the wrong order: write the lower one first."};
    if (layer_count != 0 && last >= layer_count)
        return Error{"The layers " + range + " reach beyond the model's last layer, " +
                     std::to_string(layer_count - 1) + "."};
    return {};
}

} // namespace

Result<FreezeRule> parse_rule(std::string_view text, FreezeRule base) {
    if (text == "all") return with_criteria(base, true, true, true, Combine::All);
    if (text == "any") return with_criteria(base, true, true, true, Combine::Any);
    if (text == "activity_counting") return with_criteria(base, false, false, true, Combine::All);
    const auto colon = text.find(':');
    for (const auto& ranking : rankings) {
        if (text.substr(0, colon) != ranking.name) continue;
        if (colon != std::string_view::npos)
            return parse_ranking(text, text.substr(colon + 1), ranking.method, base);
        if (!ranking.otherwise) return unknown_rule(text);
        base.method = ranking.method;
        base.quantile = *ranking.otherwise;
        return base;
    }
    return colon == std::string_view::npos ? parse_criteria(text, base) : unknown_rule(text);
}

std::string rule_name(const FreezeRule& rule) {
    for (const auto& ranking : rankings)
        if (rule.method == ranking.method)
            return std::string(ranking.name) + ":" + shortest_text(rule.quantile);
    const bool any = rule.combine == Combine::Any;
    if (has_all_criteria(rule)) return any ? "any" : "all";
    return join_criteria(rule, any ? "|" : "+");
}

std::string method_description(const FreezeRule& rule) {
    const bool own = std::any_of(rule.layer_rules.begin(), rule.layer_rules.end(),
                                 [](const auto& entry) { return entry.second.quantile.has_value(); });
    const std::string share = own ? "share (see layer_rules) of each layer"
                                  : general_text(100 * rule.quantile, 6) + " % of each layer";
    if (rule.method == Method::Quantile) return "statistical: smallest " + share + " by RMS";
    if (rule.method == Method::Impact)
        return "impact: smallest " + share + " by standard deviation times down norm";
    if (rule.method == Method::VarianceGradient)
        return "variance gradient: smallest " + share + " by variance and by temporal gradient";
    if (only_activity(rule)) return "activity counting";
    return join_criteria(rule, rule.combine == Combine::Any ? " or " : " + ") + " tracking";
}

std::string method_identifier(const FreezeRule& rule) {
    if (rule.method == Method::Quantile) return "statistical";
    if (rule.method == Method::Impact) return "impact";
    if (rule.method == Method::VarianceGradient) return "variance_gradient";
    if (only_activity(rule)) return "activity_counting";
    return join_criteria(rule, rule.combine == Combine::Any ? "_or_" : "_") + "_tracking";
}

Result<void> validate(const FreezeRule& rule, std::uint32_t layer_count) {
    PERMAFROST_CHECK(check_threshold(rule.variance_threshold, "variance threshold"));
    PERMAFROST_CHECK(check_threshold(rule.gradient_threshold, "gradient threshold"));
    PERMAFROST_CHECK(check_threshold(rule.activation_threshold, "activation threshold"));
    PERMAFROST_CHECK(check_share(rule.inactive_share, "share of inactive tokens"));
    PERMAFROST_CHECK(check_threshold(rule.guard_ratio, "guard ratio"));
    PERMAFROST_CHECK(check_share(rule.quantile, "share of neurons to freeze"));
    if (rule.method == Method::Criteria && !rule.use_variance && !rule.use_gradient && !rule.use_activity)
        return Error{"No criterion is chosen: choose variance, gradient or activity."};
    if (rule.layers) PERMAFROST_CHECK(check_layers(rule.layers->first, rule.layers->second, layer_count));
    for (const auto& [layer, own] : rule.layer_rules) {
        PERMAFROST_CHECK(check_layers(layer, layer, layer_count));
        auto numbers = rule.for_layer(layer);
        numbers.layers.reset();
        PERMAFROST_CHECK(validate(numbers));
    }
    return {};
}

Result<std::pair<std::uint32_t, std::uint32_t>> parse_layers(std::string_view text) {
    std::pair<std::uint32_t, std::uint32_t> layers;
    const char* const end = text.data() + text.size();
    auto parsed = std::from_chars(text.data(), end, layers.first);
    const bool range = parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == '-';
    if (range)
        parsed = std::from_chars(parsed.ptr + 1, end, layers.second);
    else
        layers.second = layers.first;
    if (parsed.ec != std::errc{} || parsed.ptr != end)
        return Error{"Cannot read the layers " + quoted(text) + ": write one layer (7) or a range (24-31)."};
    PERMAFROST_CHECK(check_layers(layers.first, layers.second, 0));
    return layers;
}

} // namespace permafrost::masks
