// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/rule_fields.h"
#include "widgets/view_data.h"

#include <stop_token>
#include <vector>

namespace permafrost::widgets {

/// The thresholds that take part in a rule.
std::vector<RuleField> fields_of(const masks::FreezeRule& rule);

/// What one value of a threshold would mean, all else being equal.
struct SweepPoint {
    double value = 0;
    double frozen_share = 0;
    double average_speedup = 1;
    verdict::Verdict verdict = verdict::Verdict::Skip;
};

/// The decision at values over the field's whole range; empty when stopped. Takes decide() once a point, so
/// it runs on another thread than the window's.
std::vector<SweepPoint> sweep(const profile::Profile& profile, const masks::FreezeRule& rule, RuleField field,
                              std::size_t points, const std::stop_token& stop = {});

/// The point nearest to `value` whose verdict differs from `now`, if there is one.
const SweepPoint* nearest_change(const std::vector<SweepPoint>& points, double value, verdict::Verdict now,
                                 bool logarithmic);

/// The value of one threshold nearest to the present one at which the verdict becomes another.
struct VerdictChange {
    RuleField field;
    double value = 0;
    verdict::Verdict verdict = verdict::Verdict::Skip;
};

/// For each threshold that takes part in the rule, at most one change towards more frozen neurons and one
/// towards fewer, found by halving (the frozen share rises or falls steadily with every threshold); the value
/// is given with two digits that still bring the change. Nearest first. Empty when stopped.
std::vector<VerdictChange> verdict_changes(const profile::Profile& profile, const verdict::Decision& decision,
                                           const std::stop_token& stop = {});

} // namespace permafrost::widgets
