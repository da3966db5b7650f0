// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/bitmask.h"
#include "core/profile/layer_profile.h"

#include <span>
#include <vector>

namespace permafrost::widgets {

/// Counts over bins; on a logarithmic axis edges are a tenth of a decade apart and values at or below the
/// lowest edge are in the first bin.
struct Histogram {
    bool logarithmic = false;
    std::vector<double> edges;  ///< bins + 1
    std::vector<double> all;    ///< (bin) how many
    std::vector<double> frozen; ///< (bin) how many of them the mask freezes; empty where that makes no sense
    double total() const;
};

/// Of one value a neuron.
Histogram histogram_of(std::span<const float> values, const masks::Bitmask& frozen, bool logarithmic);
/// Of |h| over all neurons and tokens of the layer, from the counts the profile keeps; edges as
/// magnitude_bins.
Histogram magnitude_histogram(const profile::LayerProfile& layer);

} // namespace permafrost::widgets
