// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace permafrost::masks {

/// How many of `count` neurons the share means: rounded down.
std::size_t count_of_share(double share, std::size_t count);

/// Marks (0 or 1 each) the count_of_share(share) smallest of `values`, which are not negative; of equal
/// values those with the lower index. NaN counts as larger than everything and is never marked.
std::vector<std::uint8_t> mark_smallest(std::span<const float> values, double share);

} // namespace permafrost::masks
