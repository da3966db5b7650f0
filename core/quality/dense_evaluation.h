// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/model_file.h"
#include "core/model/forward.h"
#include "core/text/corpus.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace permafrost::quality {

/// How well a model predicts the scored tokens of a text. Scored are the tokens of each window's second half, as
/// llama-perplexity does: positions context/2 … context-2 predict the token after them.
struct Evaluation {
    std::uint64_t tokens = 0; ///< scored
    double nll = 0;           ///< mean negative log-likelihood, natural logarithm
    double perplexity = 0;    ///< e^nll
    double perplexity_error =
        0; ///< standard error of the perplexity, from the spread of the tokens' log-likelihoods
    double top1_accuracy = 0; ///< share of tokens that were the model's first choice
};

struct EvaluationSettings {
    std::uint32_t context = 512;
    std::size_t threads = 0;
    std::uint32_t wave_tokens = 4096;
};

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
