// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/quality_gate.h"

#include "core/base/number_text.h"

#include <cmath>

namespace permafrost::verdict {

std::string_view word(GateState state) {
    switch (state) {
    case GateState::Passed:
        return "passed";
    case GateState::Failed:
        return "failed";
    case GateState::NotMeasured:
        break;
    }
    return "not measured";
}

QualityGate judge_quality(const std::optional<MeasuredQuality>& measured, const QualityLimits& limits) {
    QualityGate gate{GateState::NotMeasured, false, limits, measured};
    if (!measured || measured->tokens == 0) return gate;
    // Written so that a value that is no number fails.
    const bool accurate = measured->accuracy_retained >= limits.least_accuracy_retained;
    const bool close = measured->kl_mean <= limits.largest_kl;
    gate.state = accurate && close ? GateState::Passed : GateState::Failed;
    const auto near = [](double value, double limit, double error) {
        return std::fabs(value - limit) < 2 * error;
    };
    const bool accuracy_near =
        near(measured->accuracy_retained, limits.least_accuracy_retained, measured->accuracy_retained_error);
    const bool kl_near = near(measured->kl_mean, limits.largest_kl, measured->kl_mean_error);
    // One limit that is missed for sure decides, whatever the other.
    const bool surely_failed = (!accurate && !accuracy_near) || (!close && !kl_near);
    gate.uncertain = !surely_failed && (accuracy_near || kl_near);
    return gate;
}

bool is_blocked(Verdict verdict, const QualityGate& gate) {
    return verdict != Verdict::Skip && gate.state == GateState::Failed;
}

std::string one_sentence(const QualityGate& gate) {
    if (gate.state == GateState::NotMeasured) return "Quality is not measured.";
    const auto& measured = *gate.measured;
    return "Quality " + std::string(word(gate.state)) + ": " +
           fixed_text(100 * measured.accuracy_retained, 2) + " % of the accuracy is retained (limit " +
           general_text(100 * gate.limits.least_accuracy_retained, 4) + " %), KL " +
           general_text(measured.kl_mean, 3) + " (limit " + general_text(gate.limits.largest_kl, 3) + "), " +
           std::to_string(measured.tokens) + " tokens" + (gate.uncertain ? "; too few to be sure" : "") + ".";
}

} // namespace permafrost::verdict
