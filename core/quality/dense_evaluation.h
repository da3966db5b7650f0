// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/model_file.h"
#include "core/quality/evaluation.h"
#include "core/text/corpus.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace permafrost::quality {

/// Evaluates the model as it is. `corpus` must be text::cut_text() with the same context. Errors as run_profile().
Result<Evaluation> evaluate_dense(const formats::ModelFilePtr& file, const text::Corpus& corpus,
                                  const EvaluationSettings& settings,
                                  const std::function<void(double share)>& progress = {},
                                  const std::stop_token& stop = {});

/// Log-probabilities (natural) of every next token at every position of one sequence: (tokens, vocabulary). For checks
/// against other programs.
Result<std::vector<float>> next_token_log_probabilities(const formats::ModelFilePtr& file,
                                                        const std::vector<text::TokenId>& tokens,
                                                        std::size_t threads = 0);

} // namespace permafrost::quality
