// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/freeze_rule.h"
#include "core/quality/evaluation_file.h"
#include "core/quality/loss_estimate.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace permafrost::widgets {

/// A rule whose mask was run on held-out text beside the dense model.
struct QualityPoint {
    masks::FreezeRule rule;
    quality::Handling handling = quality::Handling::Zero; ///< of frozen neurons
    double frozen_share = 0;                              ///< of all neurons
    double estimated_speedup = 1;                         ///< mean of layers, an upper bound
    double output_loss = 0;                               ///< quality::output_loss()
    quality::Comparison result;
    std::uint64_t tokens = 0; ///< scored so far
    double share = 0;         ///< of the text, 0 … 1; below 1 the point is provisional
    double seconds = 0;
    bool known = false;                                     ///< it was measured before
    std::shared_ptr<const quality::TaskEvaluation> answers; ///< null: no questions were asked

    /// The gate's view of it; nothing before the whole text was evaluated.
    std::optional<verdict::MeasuredQuality> measured() const {
        if (share < 1 || tokens == 0) return std::nullopt;
        return quality::measured_quality(result, tokens, "held-out text", {handling, {}});
    }
};

/// What the present mask is expected to cost, before it is evaluated.
struct QualityEstimate {
    quality::LossEstimate loss;
    double frozen_share = 0;
    double estimated_speedup = 1;
};

} // namespace permafrost::widgets
