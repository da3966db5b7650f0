// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace permafrost::masks {

struct FreezeRule;

/// What one layer does differently from the rest; empty numbers follow the rule (FreezeRule).
struct LayerRule {
    bool included = true; ///< false: nothing of the layer is frozen
    std::optional<double> variance_threshold;
    std::optional<double> gradient_threshold;
    std::optional<double> activation_threshold;
    std::optional<double> inactive_share;
    std::optional<double> quantile;
    std::optional<double> guard_ratio;

    bool follows_the_rule() const { return included && !has_own_numbers(); }
    bool has_own_numbers() const;
    bool operator==(const LayerRule&) const = default;
};

using LayerRules = std::map<std::uint32_t, LayerRule>;

/// The layer's own number that stands for one of the rule's; null when no layer can have its own.
std::optional<double> LayerRule::*own_number(double FreezeRule::*of_the_rule);

/// The rule's number of that name: variance, gradient, activation, inactive, quantile or guard; null for another.
double FreezeRule::*number_named(std::string_view name);

/// Reads "12-15:variance=0.02,gradient=0.001" or "3:off" into `rules`; the names are variance, gradient,
/// activation, inactive, quantile and guard. Errors: anything else.
Result<void> parse_layer_rule(std::string_view text, LayerRules& rules);
/// "12:variance=0.02"; parse_layer_rule() reads it back exactly.
std::string layer_rule_text(std::uint32_t layer, const LayerRule& rule);
/// "variance=0.02,gradient=0.001", "off"; empty where nothing differs.
std::string differences_text(const LayerRule& rule);

} // namespace permafrost::masks
