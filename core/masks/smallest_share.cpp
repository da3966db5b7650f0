// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/smallest_share.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace permafrost::masks {
namespace {

constexpr std::uint32_t nan_key = std::numeric_limits<std::uint32_t>::max();

// Bits of floats that are not negative order as the floats do.
std::uint32_t key_of(float value) {
    return std::isnan(value) ? nan_key : std::bit_cast<std::uint32_t>(value) & 0x7fffffffu;
}

/// The key at position `rank` of the sorted keys. A histogram of the upper bits leaves few candidates to
/// sort.
std::uint32_t key_at(const std::vector<std::uint32_t>& keys, std::size_t rank) {
    constexpr int shift = 21;
    std::array<std::uint32_t, std::size_t{1} << (32 - shift)> histogram{};
    for (const auto key : keys) ++histogram[key >> shift];
    std::size_t bucket = 0;
    std::size_t before = 0;
    while (before + histogram[bucket] <= rank) before += histogram[bucket++];
    std::vector<std::uint32_t> candidates;
    candidates.reserve(histogram[bucket]);
    for (const auto key : keys)
        if (key >> shift == bucket) candidates.push_back(key);
    const auto position = candidates.begin() + static_cast<std::ptrdiff_t>(rank - before);
    std::nth_element(candidates.begin(), position, candidates.end());
    return *position;
}

} // namespace

std::size_t count_of_share(double share, std::size_t count) {
    // The addition undoes the rounding of a product such as 0.29 * 100.
    const double product = std::floor(share * static_cast<double>(count) + 1e-9);
    return product <= 0 ? 0 : std::min(count, static_cast<std::size_t>(product));
}

std::vector<std::uint8_t> mark_smallest(std::span<const float> values, double share) {
    std::vector<std::uint8_t> marks(values.size(), 0);
    const std::size_t wanted = count_of_share(share, values.size());
    if (wanted == 0) return marks;
    std::vector<std::uint32_t> keys(values.size());
    std::transform(values.begin(), values.end(), keys.begin(), key_of);

    const std::uint32_t last = key_at(keys, wanted - 1);
    std::size_t marked = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        marks[i] = keys[i] < last;
        marked += marks[i];
    }
    if (last == nan_key) return marks;
    for (std::size_t i = 0; i < keys.size() && marked < wanted; ++i) {
        if (keys[i] != last) continue;
        marks[i] = 1;
        ++marked;
    }
    return marks;
}

} // namespace permafrost::masks
