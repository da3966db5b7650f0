// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep.h"

#include <cmath>
#include <limits>

namespace permafrost::widgets {
namespace {

double value_at(const FieldRange& range, double share) {
    return range.logarithmic ? range.low * std::pow(range.high / range.low, share)
                             : range.low + share * (range.high - range.low);
}

} // namespace

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
