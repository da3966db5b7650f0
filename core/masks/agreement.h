// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/freeze_rule.h"
#include "core/profile/stability.h"

#include <cstdint>
#include <span>
#include <vector>

namespace permafrost::masks {

/// How far two masks of one layer, or of all layers together, agree.
struct Agreement {
    std::uint64_t neurons = 0;
    std::uint64_t frozen_a = 0, frozen_b = 0, frozen_both = 0;

    /// |a and b| / |a or b|; 1 for two masks without a frozen neuron, as of Bitmask. Whether that shows anything is the caller's
    /// question (profile::StabilityGoal).
    double jaccard() const;
    double share_a() const; ///< frozen neurons / neurons, 0 … 1
    double share_b() const;
    double share_difference() const; ///< |share_a - share_b|
};

/// Of one layer. Neurons past the end of the shorter mask are not frozen in it.
Agreement agreement(const Bitmask& a, const Bitmask& b);
Agreement sum(std::span<const Agreement> layers);

/// (layer) what the rule freezes in each half; layers that it leaves out, or without statistics in a half, freeze nothing there.
/// `a` and `b` are as long as each other.
std::vector<Agreement> agreement_by_layer(std::span<const profile::LayerProfilePtr> a,
                                          std::span<const profile::LayerProfilePtr> b,
                                          const FreezeRule& rule);

/// For a run until stable: what agreement_by_layer() says, as a point of its curve. `rule` must be valid.
profile::CompareHalves halves_compared_by(FreezeRule rule);

} // namespace permafrost::masks
