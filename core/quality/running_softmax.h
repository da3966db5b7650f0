// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer.h"

#include <cmath>
#include <cstddef>
#include <limits>

namespace permafrost::quality {

/// Normaliser, best token and the right token's logit of one position, while its logits come panel by panel.
struct RunningSoftmax {
    double maximum = -std::numeric_limits<double>::infinity();
    double sum = 0; ///< of exp(logit - maximum)
    float best = -std::numeric_limits<float>::infinity();
    text::TokenId best_token = -1;
    double target_logit = 0;

    /// Leaves exp(logit - maximum) of the panel in `exponentials` (count) and returns what the sum before was multiplied
    /// with, for the maximum may have grown. A negative `target` stands for none.
    double add(const float* logits, std::size_t count, std::size_t first_token, text::TokenId target,
               float* exponentials);
    double log_sum() const { return maximum + std::log(sum); }
    double target_nll() const { return log_sum() - target_logit; }
};

/// KL(p || q) of one position, natural logarithm: sum p (log p - log q) = sum p (a - b) - log Z_a + log Z_b for logits a
/// and b. Exactly zero for equal logits.
struct RunningDivergence {
    double cross = 0; ///< sum of exp(a - maximum) * (a - b)

    /// `exponentials` and `rescale` are what RunningSoftmax::add() gave for the panel of a.
    void add(const float* a, const float* b, std::size_t count, const float* exponentials, double rescale);
    double value(const RunningSoftmax& p, const RunningSoftmax& q) const {
        return cross / p.sum - p.log_sum() + q.log_sum();
    }
};

} // namespace permafrost::quality
