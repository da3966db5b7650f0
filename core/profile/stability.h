// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adaptive sampling: a run keeps the statistics of two disjoint halves of its text apart and stops when a freeze rule gives both
// the same masks, several waves in a row. How a rule makes masks is not known here: masks/agreement.h counts for it.
#pragma once

#include "core/profile/layer_profile.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace permafrost::profile {

/// How far the masks of both halves agree after so many tokens.
struct StabilityPoint {
    std::uint64_t tokens = 0;                                  ///< of both halves together
    std::uint64_t frozen_a = 0, frozen_b = 0, frozen_both = 0; ///< neurons, over all layers
    double layer_difference = 0; ///< largest |frozen share of a - of b| of any layer, 0 … 1

    /// |a and b| / |a or b| over the neurons of all layers. 0 when neither half froze anything: that shows nothing.
    double jaccard() const;
    bool nothing_frozen() const { return frozen_a + frozen_b == 0; }
    bool operator==(const StabilityPoint&) const = default;
};

/// When masks count as stable.
struct StabilityGoal {
    double jaccard = 0.95;   ///< at least
    double share = 0.01;     ///< layer_difference at most
    std::uint32_t waves = 3; ///< in a row

    /// Never where nothing is frozen: a rule that freezes nothing agrees with itself after one token.
    bool met_by(const StabilityPoint& point) const;
    /// The last `waves` points meet it.
    bool reached_by(std::span<const StabilityPoint> curve) const;
    bool operator==(const StabilityGoal&) const = default;
};

/// What a run until stable saw; part of its profile.
struct Stability {
    std::string rule; ///< the freeze rule, for people
    StabilityGoal goal;
    std::uint64_t neurons = 0;         ///< over all layers
    std::uint64_t tokens_at_hand = 0;  ///< of the whole text
    std::vector<StabilityPoint> curve; ///< (wave), tokens ascending

    bool reached() const { return goal.reached_by(curve); }
    /// The last point's neurons frozen in a half / all neurons, 0 … 1.
    double share(std::uint64_t frozen) const;
    bool operator==(const Stability&) const = default;
};

/// "stable after 20480 of 83966 tokens: …" or why it is not; one line.
std::string sentence(const Stability& stability);

/// Compares the halves' layers, (layer) each; `tokens` is the caller's.
using CompareHalves =
    std::function<StabilityPoint(std::span<const LayerProfilePtr> a, std::span<const LayerProfilePtr> b)>;

/// The order in which a run until stable takes the `count` pieces of its text: pieces of even index (half a) and of odd index
/// (half b) in turn, each once, those taken so far spread evenly over the text. A text ordered by subject is then sampled whole,
/// however early the run ends.
std::vector<std::uint32_t> spread_order(std::uint32_t count);

} // namespace permafrost::profile
