// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/layer_statistics.h"

#include <cstdint>
#include <vector>

namespace permafrost::test {

/// What one sequence's FFN of one layer computed: g, u and h = act(g) * u, each (token, neuron).
struct RawSequence {
    std::vector<float> gate, up, h;
};

/// Statistics by plain loops, one neuron and one token at a time; each sequence's sums in f64 in the order of
/// its tokens.
profile::LayerStatistics naive_statistics(const std::vector<RawSequence>& sequences, std::uint32_t neurons,
                                          std::uint32_t context, const std::vector<float>& down_norm);

/// One neuron's figures straight from its values, in two passes in long double.
struct NaiveNeuron {
    std::uint64_t count = 0; ///< usable tokens
    double mean = 0, variance = 0, rms = 0, peak = 0;
    std::vector<float> values; ///< h at the usable tokens

    std::uint64_t below(float threshold) const; ///< tokens with |h| < threshold
};
NaiveNeuron naive_neuron(const std::vector<RawSequence>& sequences, std::uint32_t neurons,
                         std::size_t neuron);

/// Random sequences: each neuron has its own mean and spread, from constant to lively, so that every
/// criterion is met by some and missed by others.
std::vector<RawSequence> random_sequences(std::size_t sequences, std::size_t tokens, std::uint32_t neurons,
                                          std::uint64_t seed);
std::vector<float> random_norms(std::uint32_t neurons, std::uint64_t seed);

} // namespace permafrost::test
