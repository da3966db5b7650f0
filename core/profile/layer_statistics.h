// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/int128.h"
#include "core/base/result.h"
#include "core/profile/magnitude_bins.h"

#include <array>
#include <cstdint>
#include <vector>

namespace permafrost::profile {

/// Exact sums over tokens for each neuron of one layer. Adding two of them is associative and commutative to the bit,
/// so it does not matter how a run was cut into waves, threads, shards or machines.
///
/// For token t: g = gate row · x, u = up row · x, h = act(g) * u, the input of the down projection. A token at which h, g or u
/// is not finite is counted in `non_finite` and enters no other statistic of that neuron.
struct LayerStatistics {
    std::uint32_t neurons = 0;
    std::uint64_t tokens = 0;      ///< tokens seen by this layer
    std::uint64_t transitions = 0; ///< tokens that have a predecessor in their sequence
    std::array<std::uint64_t, position_buckets> tokens_by_position{};

    // All (neuron); sums on the fixed-point grid of base/int128.h.
    std::vector<Int128> sum;               ///< of h
    std::vector<Int128> sum_squares;       ///< of h^2
    std::vector<Int128> gate_sum;          ///< of g
    std::vector<Int128> gate_sum_squares;  ///< of g^2
    std::vector<Int128> up_sum;            ///< of u
    std::vector<Int128> up_sum_squares;    ///< of u^2
    std::vector<Int128> transition_sum;    ///< of |h(t) - h(t-1)|
    std::vector<float> minimum;            ///< of h, +inf before the first token
    std::vector<float> maximum;            ///< of h, -inf before the first token
    std::vector<float> first_token_peak;   ///< largest |h| on first tokens of sequences
    std::vector<std::uint32_t> non_finite; ///< tokens left out
    std::vector<float> down_norm;     ///< Euclidean norm of the neuron's down column; a constant of the model
    std::vector<std::uint32_t> below; ///< (edge, neuron) tokens with |h| < edge, edges of magnitude_bins
    std::vector<std::uint32_t> low_by_position; ///< (position bucket, neuron) tokens with |h| < 0.1

    LayerStatistics() = default;
    explicit LayerStatistics(std::uint32_t neuron_count);

    /// Adds the other's tokens. Errors: other neuron count, or other down norms (another model).
    Result<void> merge(const LayerStatistics& other);
    std::uint64_t bytes() const;
};

} // namespace permafrost::profile
