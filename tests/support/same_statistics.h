// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/layer_statistics.h"

#include <string>

namespace permafrost::test {

/// The first field, and neuron where there is one, in which two layers' statistics differ; empty if they are
/// equal to the bit.
inline std::string difference(const profile::LayerStatistics& a, const profile::LayerStatistics& b) {
    if (a.neurons != b.neurons) return "neurons";
    if (a.tokens != b.tokens) return "tokens";
    if (a.transitions != b.transitions) return "transitions";
    if (a.tokens_by_position != b.tokens_by_position) return "tokens_by_position";
    std::string result;
    const auto compare = [&](const char* name, const auto& x, const auto& y) {
        if (!result.empty() || x == y) return;
        result = name;
        for (std::size_t i = 0; i < x.size() && i < y.size(); ++i)
            if (x[i] != y[i]) {
                result +=
                    " of element " + std::to_string(i) + " (neuron " + std::to_string(i % a.neurons) + ")";
                return;
            }
    };
    compare("sum", a.sum, b.sum);
    compare("sum_squares", a.sum_squares, b.sum_squares);
    compare("gate_sum", a.gate_sum, b.gate_sum);
    compare("gate_sum_squares", a.gate_sum_squares, b.gate_sum_squares);
    compare("up_sum", a.up_sum, b.up_sum);
    compare("up_sum_squares", a.up_sum_squares, b.up_sum_squares);
    compare("transition_sum", a.transition_sum, b.transition_sum);
    compare("minimum", a.minimum, b.minimum);
    compare("maximum", a.maximum, b.maximum);
    compare("first_token_peak", a.first_token_peak, b.first_token_peak);
    compare("non_finite", a.non_finite, b.non_finite);
    compare("down_norm", a.down_norm, b.down_norm);
    compare("below", a.below, b.below);
    compare("low_by_position", a.low_by_position, b.low_by_position);
    return result;
}

} // namespace permafrost::test
