// SPDX-License-Identifier: GPL-3.0-or-later
//
// The histogram of |h| has decade-aligned edges, so that 0.1, 0.01 and 1 are exact edges: 8 bins a decade from 1e-4 to
// 100, edges 1e-4 * 10^(k/8) rounded to f32, k = 0 … 48. Statistics keep, for each edge, how many values lie strictly
// below it. A threshold between two edges counts as the lower one: what is said to lie below it certainly does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace permafrost::profile {

namespace magnitude_bins {

inline constexpr int per_decade = 8;
inline constexpr int first_decade = -4;
inline constexpr int last_decade = 2;
inline constexpr std::size_t edge_count = std::size_t{per_decade} * (last_decade - first_decade) + 1; // 49

/// All edges, ascending; exact decades are the f32 nearest to the power of ten.
const std::array<float, edge_count>& edges();

/// Index of the largest edge that is not above `threshold`, or -1 if all are. The threshold is rounded to f32 first, as
/// the edges are, so that 0.1 means the edge 0.1f. Negative numbers and NaN give -1.
int edge_at_or_below(double threshold);

/// How many edges are not above `magnitude` (>= 0): value lies below edge k exactly for k >= bin_of(value).
std::size_t bin_of(float magnitude);

} // namespace magnitude_bins

/// Position in the sequence is kept in eighths of the context: bucket = position * 8 / context.
inline constexpr std::size_t position_buckets = 8;

/// The threshold of the counts that are kept by position and that temporal statistics use.
inline constexpr float low_activity_by_position_threshold = 0.1f;

} // namespace permafrost::profile
