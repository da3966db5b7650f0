// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/verdict/decision.h"

namespace permafrost::verdict {
namespace {

constexpr double proceed_above = 1.05;
constexpr double conditional_above = 1.02;

/// "1.06x", with as many decimals as it takes to tell it from the limit.
std::string speedup_beside(double speedup, double limit) {
    int decimals = 2;
    while (decimals < 6 && speedup != limit && fixed_text(speedup, decimals) == fixed_text(limit, decimals))
        ++decimals;
    return fixed_text(speedup, decimals) + "x";
}

std::string share_text(const Decision& decision) {
    return fixed_text(100 * decision.frozen_share, 1) + " % of neurons";
}

} // namespace

std::string_view word(Verdict verdict) {
    switch (verdict) {
    case Verdict::Proceed:
        return "PROCEED";
    case Verdict::Conditional:
        return "CONDITIONAL";
    case Verdict::Skip:
        break;
    }
    return "SKIP";
}

std::string_view recommendation(Verdict verdict) {
    switch (verdict) {
    case Verdict::Proceed:
        return "PROCEED: Apply selective pruning; estimated improvement warranted";
    case Verdict::Conditional:
        return "CONDITIONAL: Marginal improvement; consider if inference is latency-critical";
    case Verdict::Skip:
        break;
    }
    return "SKIP: Insufficient saturation detected; skip sparse inference for this model";
}

std::string_view next_step(Verdict verdict) {
    switch (verdict) {
    case Verdict::Proceed:
        return "Encode saturation_maps into .rknot header via encode-rknot pipeline";
    case Verdict::Conditional:
        return "Profile more diverse prompts for confidence; measure quality and kernel time before encoding";
    case Verdict::Skip:
        break;
    }
    return "Use dense model weights; apply other optimization techniques (KV-cache, token pruning, etc.)";
}

Verdict judge(double average_speedup) {
    if (average_speedup > proceed_above) return Verdict::Proceed;
    if (average_speedup > conditional_above) return Verdict::Conditional;
    return Verdict::Skip;
}

std::string one_sentence(const Decision& decision) {
    const double speedup = decision.average_speedup;
    switch (decision.verdict) {
    case Verdict::Proceed:
        return "Mean layer speed-up " + speedup_beside(speedup, proceed_above) +
               " is above 1.05x: " + share_text(decision) + " are frozen (an upper bound).";
    case Verdict::Conditional:
        return "Mean layer speed-up " + speedup_beside(speedup, conditional_above) +
               " is above 1.02x but not above 1.05x: the gain is marginal (" + share_text(decision) +
               " frozen).";
    case Verdict::Skip:
        break;
    }
    return "Mean layer speed-up " + speedup_beside(speedup, conditional_above) +
           " is not above 1.02x: too little is frozen (" + share_text(decision) + ").";
}

} // namespace permafrost::verdict
