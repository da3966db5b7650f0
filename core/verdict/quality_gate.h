// SPDX-License-Identifier: GPL-3.0-or-later
//
// An estimate of speed says nothing about what a mask costs. The gate beside the verdict says whether that was measured on
// held-out text, and whether it is little enough.
#pragma once

#include "core/verdict/decision.h"

#include <cstdint>
#include <optional>
#include <string>

namespace permafrost::verdict {

/// What the masked model did beside the dense one, token by token; errors are one standard error.
struct MeasuredQuality {
    double accuracy_retained = 1; ///< next-token accuracy, masked / dense
    double accuracy_retained_error = 0;
    double kl_mean = 0; ///< KL(dense || masked), natural logarithm
    double kl_mean_error = 0;
    double perplexity_ratio = 1; ///< masked / dense
    double perplexity_ratio_error = 0;
    std::uint64_t tokens = 0;            ///< scored
    std::string text;                    ///< "held-out text", or the file's name
    std::string frozen_neurons = "zero"; ///< what became of them: "zero", "mean", … (quality/handling.h)
};

struct QualityLimits {
    double least_accuracy_retained = 0.995;
    /// About what q5_K_M does to Llama 3 8B (quality/quantisation_scale.h).
    double largest_kl = 0.01;
};

enum class GateState : std::uint8_t { NotMeasured, Passed, Failed };
/// "not measured", "passed", "failed"
std::string_view word(GateState state);

struct QualityGate {
    GateState state = GateState::NotMeasured;
    /// A limit lies within two standard errors: more text would be needed to be sure.
    bool uncertain = false;
    QualityLimits limits;
    std::optional<MeasuredQuality> measured;
};

QualityGate judge_quality(const std::optional<MeasuredQuality>& measured, const QualityLimits& limits = {});

/// A verdict that recommends something, by an estimate that measured quality speaks against.
bool is_blocked(Verdict verdict, const QualityGate& gate);

/// "Quality passed: 99.8 % of the accuracy is retained, KL 0.0012 (8 160 tokens)."
std::string one_sentence(const QualityGate& gate);

} // namespace permafrost::verdict
