// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace permafrost::widgets {
namespace {

double value_at(const FieldRange& range, double share) {
    return range.logarithmic ? range.low * std::pow(range.high / range.low, share)
                             : range.low + share * (range.high - range.low);
}

double share_at(const FieldRange& range, double value) {
    return range.logarithmic
               ? std::log(std::max(value, range.low) / range.low) / std::log(range.high / range.low)
               : (value - range.low) / (range.high - range.low);
}

/// Two digits, rounded away from where the verdict is still the present one.
double two_digits(double value, bool upwards) {
    if (!(value > 0)) return value;
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return (upwards ? std::ceil(value / unit - 1e-9) : std::floor(value / unit + 1e-9)) * unit;
}

} // namespace

std::vector<RuleField> fields_of(const masks::FreezeRule& rule) {
    std::vector<RuleField> fields;
    const bool criteria = rule.method == masks::FreezeRule::Method::Criteria;
    if (!criteria) fields.push_back(RuleField::Quantile);
    if (criteria && rule.use_variance) fields.push_back(RuleField::Variance);
    if (criteria && rule.use_gradient) fields.push_back(RuleField::Gradient);
    if (criteria && rule.use_activity)
        fields.insert(fields.end(), {RuleField::Activation, RuleField::InactiveShare});
    if (rule.guard) fields.push_back(RuleField::GuardRatio);
    return fields;
}

std::vector<VerdictChange> verdict_changes(const profile::Profile& profile, const verdict::Decision& decision,
                                           const std::stop_token& stop) {
    constexpr int halvings = 12;
    struct Found {
        double distance;
        VerdictChange change;
    };
    std::vector<Found> found;
    for (const auto field : fields_of(decision.rule)) {
        const auto range = range_of(field);
        const double now = std::clamp(share_at(range, value_of(decision.rule, field)), 0.0, 1.0);
        const auto verdict_at = [&](double value) {
            return verdict::decide(profile, with_value(decision.rule, field, value)).verdict;
        };
        for (const double end : {0.0, 1.0}) {
            if (stop.stop_requested()) return {};
            if (now == end || verdict_at(value_at(range, end)) == decision.verdict) continue;
            double same = now, other = end;
            for (int i = 0; i < halvings && !stop.stop_requested(); ++i) {
                const double middle = (same + other) / 2;
                (verdict_at(value_at(range, middle)) == decision.verdict ? same : other) = middle;
            }
            auto value = value_at(range, other);
            const auto rounded = two_digits(value, end > now);
            if (verdict_at(rounded) != decision.verdict) value = rounded;
            found.push_back({std::fabs(other - now), {field, value, verdict_at(value)}});
        }
    }
    if (stop.stop_requested()) return {};
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& one, const Found& other) { return one.distance < other.distance; });
    std::vector<VerdictChange> changes;
    for (const auto& entry : found) changes.push_back(entry.change);
    return changes;
}

std::vector<SweepPoint> sweep(const profile::Profile& profile, const masks::FreezeRule& rule, RuleField field,
                              std::size_t points, const std::stop_token& stop) {
    std::vector<SweepPoint> curve;
    const auto range = range_of(field);
    for (std::size_t i = 0; i < points; ++i) {
        if (stop.stop_requested()) return {};
        const double value = value_at(range, static_cast<double>(i) / static_cast<double>(points - 1));
        const auto decision = verdict::decide(profile, with_value(rule, field, value));
        curve.push_back({value, decision.frozen_share, decision.average_speedup, decision.verdict});
    }
    return curve;
}

const SweepPoint* nearest_change(const std::vector<SweepPoint>& points, double value, verdict::Verdict now,
                                 bool logarithmic) {
    const SweepPoint* nearest = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& point : points) {
        if (point.verdict == now) continue;
        const double distance = logarithmic && value > 0 ? std::fabs(std::log(point.value / value))
                                                         : std::fabs(point.value - value);
        if (distance >= least) continue;
        least = distance;
        nearest = &point;
    }
    return nearest;
}

} // namespace permafrost::widgets
