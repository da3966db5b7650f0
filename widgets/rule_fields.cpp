// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rule_fields.h"

#include "widgets/numbers.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace permafrost::widgets {
namespace {

double masks::FreezeRule::*member_of(RuleField field) {
    switch (field) {
    case RuleField::Variance:
        return &masks::FreezeRule::variance_threshold;
    case RuleField::Gradient:
        return &masks::FreezeRule::gradient_threshold;
    case RuleField::Activation:
        return &masks::FreezeRule::activation_threshold;
    case RuleField::InactiveShare:
        return &masks::FreezeRule::inactive_share;
    case RuleField::Quantile:
        return &masks::FreezeRule::quantile;
    case RuleField::GuardRatio:
        break;
    }
    return &masks::FreezeRule::guard_ratio;
}

QString translated(const char* text) { return QCoreApplication::translate("RuleField", text); }

} // namespace

QString name_of(RuleField field) {
    switch (field) {
    case RuleField::Variance:
        return translated(QT_TRANSLATE_NOOP("RuleField", "Variance below"));
    case RuleField::Gradient:
        return translated(QT_TRANSLATE_NOOP("RuleField", "|Mean| below"));
    case RuleField::Activation:
        return translated(QT_TRANSLATE_NOOP("RuleField", "Activation below"));
    case RuleField::InactiveShare:
        return translated(QT_TRANSLATE_NOOP("RuleField", "Inactive on more than"));
    case RuleField::Quantile:
        return translated(QT_TRANSLATE_NOOP("RuleField", "Share to freeze"));
    case RuleField::GuardRatio:
        break;
    }
    return translated(QT_TRANSLATE_NOOP("RuleField", "Guard ratio"));
}

QString unit_of(RuleField field) {
    switch (field) {
    case RuleField::Variance:
        return QStringLiteral("h²");
    case RuleField::Gradient:
    case RuleField::Activation:
        return QStringLiteral("|h|");
    case RuleField::InactiveShare:
        return translated(QT_TRANSLATE_NOOP("RuleField", "% of tokens"));
    case RuleField::Quantile:
        return translated(QT_TRANSLATE_NOOP("RuleField", "% of neurons"));
    case RuleField::GuardRatio:
        break;
    }
    return translated(QT_TRANSLATE_NOOP("RuleField", "× output"));
}

bool is_share(RuleField field) { return field == RuleField::InactiveShare || field == RuleField::Quantile; }

QString with_unit(RuleField field, double value, int digits) {
    return is_share(field) ? percent(value, digits - 1)
                           : significant(value, digits) + QStringLiteral("\u00a0") + unit_of(field);
}

QString help_of(RuleField field) {
    switch (field) {
    case RuleField::Variance:
        return translated(
            QT_TRANSLATE_NOOP("RuleField", "Low variance: the neuron's output hardly changes."));
    case RuleField::Gradient:
        return translated(
            QT_TRANSLATE_NOOP("RuleField", "Zero gradient: the neuron's mean output is close to zero."));
    case RuleField::Activation:
        return translated(QT_TRANSLATE_NOOP(
            "RuleField",
            "Low activity: counts tokens with |h| below this; moves in steps of an eighth of a decade."));
    case RuleField::InactiveShare:
        return translated(
            QT_TRANSLATE_NOOP("RuleField", "Low activity: on more than this share of the tokens."));
    case RuleField::Quantile:
        return translated(
            QT_TRANSLATE_NOOP("RuleField", "This share of each layer is frozen, smallest first."));
    case RuleField::GuardRatio:
        break;
    }
    return translated(QT_TRANSLATE_NOOP(
        "RuleField",
        "Neurons whose largest output reaches this multiple of the layer's typical output stay active."));
}

FieldRange range_of(RuleField field) {
    switch (field) {
    case RuleField::Variance:
        return {1e-8, 1e2, true};
    case RuleField::Gradient:
        return {1e-7, 1e1, true};
    case RuleField::Activation:
        return {1e-4, 1e2, true};
    case RuleField::InactiveShare:
        return {0, 1, false};
    case RuleField::Quantile:
        return {0, 0.5, false};
    case RuleField::GuardRatio:
        break;
    }
    return {1e-3, 1e2, true};
}

double value_of(const masks::FreezeRule& rule, RuleField field) { return rule.*member_of(field); }

masks::FreezeRule with_value(masks::FreezeRule rule, RuleField field, double value) {
    const auto range = range_of(field);
    if (std::isfinite(value))
        rule.*member_of(field) = std::clamp(value, range.logarithmic ? 0.0 : range.low, range.high);
    return rule;
}

double value_of(const masks::FreezeRule& rule, RuleField field, const RuleScope& scope) {
    return value_of(scope.layers.empty() ? rule : rule.for_layer(scope.layers.front()), field);
}

masks::FreezeRule with_value(const masks::FreezeRule& rule, RuleField field, double value,
                             const RuleScope& scope) {
    if (scope.layers.empty()) return with_value(rule, field, value);
    auto changed = rule;
    const double clamped = value_of(with_value(rule, field, value), field);
    for (const auto layer : scope.layers)
        changed.layer_rules[layer].*masks::own_number(member_of(field)) = clamped;
    return changed;
}

bool has_own_value(const masks::FreezeRule& rule, RuleField field, std::uint32_t layer) {
    const auto own = rule.layer_rules.find(layer);
    return own != rule.layer_rules.end() && (own->second.*masks::own_number(member_of(field))).has_value();
}

masks::FreezeRule without_own_values(const masks::FreezeRule& rule, const RuleScope& scope) {
    auto changed = rule;
    for (const auto layer : scope.layers) {
        const auto own = changed.layer_rules.find(layer);
        if (own == changed.layer_rules.end()) continue;
        const bool included = own->second.included;
        own->second = {};
        own->second.included = included;
        if (included) changed.layer_rules.erase(own);
    }
    return changed;
}

masks::FreezeRule with_layers_included(const masks::FreezeRule& rule, const RuleScope& scope, bool included,
                                       std::uint32_t layer_count) {
    auto changed = rule;
    changed.layers.reset();
    for (std::uint32_t layer = 0; layer < layer_count; ++layer)
        if (!rule.includes(layer)) changed.layer_rules[layer].included = false;
    for (const auto layer : scope.layers) {
        auto& own = changed.layer_rules[layer];
        own.included = included;
        if (own.follows_the_rule()) changed.layer_rules.erase(layer);
    }
    return changed;
}

QString name_of(RuleField field, const RuleScope& scope) {
    return scope.layers.empty() ? name_of(field) : name_of(field) + QStringLiteral(", ") + name_of(scope);
}

QString name_of(const RuleScope& scope) {
    if (scope.layers.empty()) return translated(QT_TRANSLATE_NOOP("RuleField", "all layers"));
    auto layers = scope.layers;
    std::sort(layers.begin(), layers.end());
    QStringList parts;
    for (std::size_t first = 0; first < layers.size();) {
        auto last = first;
        while (last + 1 < layers.size() && layers[last + 1] == layers[last] + 1) ++last;
        parts.append(first == last ? QString::number(layers[first])
                                   : QStringLiteral("%1–%2").arg(layers[first]).arg(layers[last]));
        first = last + 1;
    }
    return (layers.size() == 1 ? translated(QT_TRANSLATE_NOOP("RuleField", "layer %1"))
                               : translated(QT_TRANSLATE_NOOP("RuleField", "layers %1")))
        .arg(parts.join(QStringLiteral(", ")));
}

std::optional<RuleField> field_of(Metric metric) {
    switch (metric) {
    case Metric::Variance:
        return RuleField::Variance;
    case Metric::AbsoluteMean:
        return RuleField::Gradient;
    case Metric::LowActivity:
        return RuleField::InactiveShare;
    case Metric::GuardScore:
        return RuleField::GuardRatio;
    default:
        return std::nullopt;
    }
}

} // namespace permafrost::widgets
