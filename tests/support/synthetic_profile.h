// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace permafrost::test {

/// profile::sample_profile() under the name that tests use: random statistics, complete, quick for 80 x 28
/// 672 too.
profile::ProfilePtr synthetic_profile(std::uint32_t layers, std::uint32_t neurons, std::uint64_t seed);

/// One neuron as a rule sees it.
struct NeuronFigures {
    double mean = 0;
    double variance = 1;
    double low_share = 0; ///< of tokens, |h| below every edge
    float peak = 1;
    float down_norm = 1;
};

/// A layer of 1000 tokens whose neurons have just these figures.
profile::LayerProfilePtr layer_of(const std::vector<NeuronFigures>& neurons);

/// A complete profile of one such layer each, in which the first `frozen` of `neurons` neurons meet all three
/// criteria and the others none; no neuron is guarded.
profile::ProfilePtr
profile_with_frozen(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& frozen_of_neurons);

} // namespace permafrost::test
