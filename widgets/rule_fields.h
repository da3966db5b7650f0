// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/freeze_rule.h"
#include "widgets/metric.h"

#include <QString>

#include <optional>

namespace permafrost::widgets {

/// The numbers of a FreezeRule that a person drags.
enum class RuleField { Variance, Gradient, Activation, InactiveShare, Quantile, GuardRatio };

QString name_of(RuleField field);
QString unit_of(RuleField field);
QString help_of(RuleField field);
double value_of(const masks::FreezeRule& rule, RuleField field);
/// The rule with that number changed; clamped to what the field allows.
masks::FreezeRule with_value(masks::FreezeRule rule, RuleField field, double value);

struct FieldRange {
    double low;
    double high;
    bool logarithmic;
};
FieldRange range_of(RuleField field);

/// The threshold that cuts a metric's histogram, if there is one.
std::optional<RuleField> field_of(Metric metric);

} // namespace permafrost::widgets
