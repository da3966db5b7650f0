// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
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

/// A masked model beside the dense one, token by token. KL is KL(dense || masked), natural logarithm.
struct Comparison {
    std::string name;
    Evaluation masked;
    double perplexity_ratio = 1; ///< masked / dense
    double perplexity_ratio_error =
        0; ///< standard error, from the spread of the tokens' differences (paired)
    double kl_mean = 0, kl_mean_error = 0;
    double kl_median = 0, kl_p90 = 0, kl_p95 = 0, kl_p99 = 0, kl_p999 = 0, kl_max = 0;
    double probability_change = 0;     ///< mean of p_masked - p_dense of the right token
    double probability_change_rms = 0; ///< root mean square of the same
    double top1_agreement = 1;         ///< share of tokens where both models' first choice is the same
    double accuracy_retained = 1;      ///< masked accuracy / dense accuracy; 1 when the dense one is zero
    double accuracy_retained_error =
        0; ///< standard error, from the spread of the tokens' differences (paired)
};

/// What one paired pass found.
struct PairedEvaluation {
    Evaluation dense;
    std::vector<Comparison> masked; ///< in the order asked for
};

struct EvaluationSettings {
    std::uint32_t context = 512;
    std::size_t threads = 0; ///< 0: one a processor
    std::uint32_t wave_tokens = 4096;
    bool background = false; ///< at lower priority
};

/// The frozen neurons of one layer: their h is replaced at every token.
struct FrozenLayer {
    std::vector<std::uint32_t> neurons; ///< ascending
    std::vector<float> values;          ///< (neurons) what h becomes (a mean folded into a bias); empty: zero
};

/// A variant of the model.
struct MaskedModel {
    std::string name;
    std::vector<FrozenLayer> layers; ///< (layer)
    /// Of the model when nothing is frozen.
    std::size_t first_changed_layer() const {
        std::size_t layer = 0;
        while (layer < layers.size() && layers[layer].neurons.empty()) ++layer;
        return layer;
    }
};

} // namespace permafrost::quality
