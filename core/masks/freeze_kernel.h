// SPDX-License-Identifier: GPL-3.0-or-later
//
// The inner loop of dragging a threshold: plain loops over contiguous arrays without branches, which
// compilers vectorise.
#pragma once

#include "core/masks/freeze_rule.h"

#include <cstdint>
#include <span>

namespace permafrost::masks {

/// A rule turned into bare comparisons for one layer. Thresholds are f64 and statistics f32; each limit is
/// the smallest f32 not below its threshold, so that "value < limit" in f32 says exactly what "value <
/// threshold" says in f64.
struct FreezeLimits {
    float variance = 0;      ///< low variance: variance < this
    float gradient = 0;      ///< zero gradient: |mean| < this
    float guard = 0;         ///< guarded: guard score >= this; above zero
    std::uint32_t below = 0; ///< low activity: tokens below the edge > this, for neurons that saw all tokens
    double inactive_share = 0; ///< for neurons that did not: tokens below the edge > floor(this * count)
    bool any_edge = false; ///< false: the activation threshold is below the first edge, nothing is inactive
    std::size_t edge = 0;  ///< row of LayerProfile::below

    FreezeLimits(const profile::LayerProfile& layer, const FreezeRule& rule);
};

/// The smallest f32 that is not below `threshold`.
float round_up_to_float(double threshold);

/// Most tokens that may lie below the edge for a neuron of `count` tokens that is not inactive: floor(share *
/// count).
std::uint32_t inactive_limit(double inactive_share, std::uint64_t count);

/// All three criteria of every neuron, and the rule's combination of them or, for the methods that rank
/// neurons, `selected` (one 0 or 1 a neuron; empty for Method::Criteria).
LayerMask apply_limits(const profile::LayerProfile& layer, const FreezeRule& rule, const FreezeLimits& limits,
                       std::span<const std::uint8_t> selected);

} // namespace permafrost::masks
