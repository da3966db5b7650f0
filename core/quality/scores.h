// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quality/evaluation.h"

#include <cstdint>
#include <vector>

namespace permafrost::quality {

/// One model's figures at each scored token, in the order of the text.
struct TokenScores {
    std::vector<float> nll;
    std::vector<std::uint32_t> choices; ///< the model's first choice
    std::vector<bool> hits;             ///< it was the right one
};

/// Mean and standard error. Sums run in the order of the values.
struct MeanAndError {
    double mean = 0;
    double error = 0;
};
MeanAndError mean_and_error(const std::vector<double>& values);

/// The value below which a share q of the values lies; linear between neighbours. `values` must be sorted and not empty.
double quantile_of_sorted(const std::vector<float>& values, double q);

Evaluation summarise(const TokenScores& scores);
/// `divergences`: KL at each token.
Comparison compare(const TokenScores& dense, const TokenScores& masked,
                   const std::vector<float>& divergences);

} // namespace permafrost::quality
