// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/freeze_rule.h"
#include "widgets/metric.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace permafrost::widgets {

/// The numbers of a FreezeRule that a person drags.
enum class RuleField { Variance, Gradient, Activation, InactiveShare, Quantile, GuardRatio };

QString name_of(RuleField field);
QString unit_of(RuleField field);
/// Shares are kept as 0 … 1 and shown in percent.
bool is_share(RuleField field);
/// "0.0123 h²", "12.3 %".
QString with_unit(RuleField field, double value, int digits);
QString help_of(RuleField field);
double value_of(const masks::FreezeRule& rule, RuleField field);
/// The rule with that number changed; clamped to what the field allows.
masks::FreezeRule with_value(masks::FreezeRule rule, RuleField field, double value);

/// Where a number of the rule is read and changed: in all layers, or as these layers' own.
struct RuleScope {
    std::vector<std::uint32_t> layers; ///< empty: all, as far as they have no number of their own
    bool operator==(const RuleScope&) const = default;
};
/// What holds in the scope; of several layers in the first.
double value_of(const masks::FreezeRule& rule, RuleField field, const RuleScope& scope);
masks::FreezeRule with_value(const masks::FreezeRule& rule, RuleField field, double value,
                             const RuleScope& scope);
/// Whether the layer has a number of its own there.
bool has_own_value(const masks::FreezeRule& rule, RuleField field, std::uint32_t layer);
/// The scope's layers follow the rule in every number again; included or not they stay as they are.
masks::FreezeRule without_own_values(const masks::FreezeRule& rule, const RuleScope& scope);
/// What limits the rule to a range of layers becomes layers left out one by one, so that any can be taken in.
masks::FreezeRule with_layers_included(const masks::FreezeRule& rule, const RuleScope& scope, bool included,
                                       std::uint32_t layer_count);
/// "layer 3", "layers 3–5, 9"; "all layers".
QString name_of(const RuleScope& scope);
/// "Variance below", "Variance below, layers 3–5": the name of an edit.
QString name_of(RuleField field, const RuleScope& scope);

struct FieldRange {
    double low;
    double high;
    bool logarithmic;
};
FieldRange range_of(RuleField field);

/// The threshold that cuts a metric's histogram, if there is one.
std::optional<RuleField> field_of(Metric metric);

} // namespace permafrost::widgets
