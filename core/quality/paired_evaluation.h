// SPDX-License-Identifier: GPL-3.0-or-later
//
// The dense model and masked variants of it in one pass: each layer's weights are decoded once for all, hidden states are
// shared up to the first layer where a variant differs, logits are compared position by position and thrown away.
#pragma once

#include "core/base/result.h"
#include "core/formats/model_file.h"
#include "core/quality/evaluation.h"
#include "core/text/corpus.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace permafrost::quality {

/// Called by the thread that evaluates.
struct EvaluationObserver {
    std::function<void(double share)> progress;
    /// After each wave: what is known so far.
    std::function<void(const PairedEvaluation& so_far)> wave_done;
};

/// `corpus` must be text::cut_text() with the same context. A variant without frozen neurons is the dense model, with KL
/// exactly 0 and ratio exactly 1. Results do not depend on the number of threads nor on the other variants.
/// Errors: as run_profile(); a variant that does not fit the model's layers; no token to score; predictions that are not
/// finite (of the dense model; a variant's figures are then not finite). Cancelled.
Result<PairedEvaluation> evaluate_paired(const formats::ModelFilePtr& file, const text::Corpus& corpus,
                                         const std::vector<MaskedModel>& variants,
                                         const EvaluationSettings& settings,
                                         const EvaluationObserver& observer = {},
                                         const std::stop_token& stop = {});

/// The same in passes of at most `at_once` variants, which bounds memory: a wave's hidden states for each. The results are the
/// same to the bit. `progress` counts all passes.
Result<PairedEvaluation> evaluate_in_passes(const formats::ModelFilePtr& file, const text::Corpus& corpus,
                                            const std::vector<MaskedModel>& variants, std::size_t at_once,
                                            const EvaluationSettings& settings,
                                            const std::function<void(double share)>& progress = {},
                                            const std::stop_token& stop = {});

/// Mean log-likelihood (natural) of the tokens after position first_scored[i] of sequence i: (model, sequence), the dense model
/// first, then the variants. Errors as above; a sequence without such a token.
Result<std::vector<std::vector<double>>>
mean_log_likelihoods(const formats::ModelFilePtr& file, const text::Corpus& corpus,
                     const std::vector<std::uint32_t>& first_scored, const std::vector<MaskedModel>& variants,
                     const EvaluationSettings& settings,
                     const std::function<void(double share)>& progress = {},
                     const std::stop_token& stop = {});

} // namespace permafrost::quality
