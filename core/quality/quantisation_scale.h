// SPDX-License-Identifier: GPL-3.0-or-later
//
// A measure that people know: how far quantisation moves a model. Mean KL divergences of Llama 3 8B against f16 on
// WikiText-2, from the table of llama.cpp (tools/perplexity/README.md); f16 itself against bf16.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace permafrost::quality {

struct QuantisationStep {
    std::string_view type; ///< "q8_0"
    double kl_mean;        ///< natural logarithm
};

/// Best first.
std::span<const QuantisationStep> quantisation_steps();

/// "between q8_0 and q6_K", "less than rounding to f16", "more than q2_K", "nothing" for zero.
std::string compared_with_quantisation(double kl_mean);

} // namespace permafrost::quality
