// SPDX-License-Identifier: GPL-3.0-or-later
//
// The seeds' cliff score: how suddenly along a sequence a layer's neurons fall silent.
#pragma once

#include "core/profile/layer_statistics.h"

#include <optional>

namespace permafrost::profile {

/// A neuron is silent from the first position bucket after which, to the end of the sequences, |h| stays below 0.1 for more than
/// `inactive_share` of the tokens of every bucket. The score is the largest share of all finally silent neurons that begin in
/// one bucket: 1 where all fall silent at one place, 1/8 where they do so evenly. Empty when no neuron is silent at the end.
/// Buckets that no sequence reaches are left out. Bands of the seeds: up to 0.3 gradual, to 0.6 moderate, above sharp.
std::optional<double> cliff_score(const LayerStatistics& statistics, double inactive_share = 0.8);

/// "gradual", "moderate" or "sharp".
const char* cliff_band(double score);

} // namespace permafrost::profile
