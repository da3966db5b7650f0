// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/value_pyramid.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace permafrost::profile {
namespace {

constexpr std::size_t fan = 16;

constexpr ValueSummary nothing{-std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::infinity(), 0};

void add(ValueSummary& to, const ValueSummary& part) {
    to.largest = std::max(to.largest, part.largest);
    to.smallest = std::min(to.smallest, part.smallest);
    to.sum += part.sum;
}

void add(ValueSummary& to, float value) {
    to.largest = value > to.largest ? value : to.largest;
    to.smallest = value < to.smallest ? value : to.smallest;
    to.sum += static_cast<double>(value);
}

template <class Values>
std::vector<ValueSummary> blocks_of(const Values& values) {
    std::vector<ValueSummary> blocks((values.size() + fan - 1) / fan, nothing);
    for (std::size_t i = 0; i < values.size(); ++i) add(blocks[i / fan], values[i]);
    return blocks;
}

/// Adds the parts of `row` from `begin` to `end` that belong to no whole block, and narrows the run to whole
/// blocks, counted in blocks.
template <class Row>
void add_edges(const Row& row, std::size_t& begin, std::size_t& end, ValueSummary& total) {
    for (; begin < end && begin % fan != 0; ++begin) add(total, row[begin]);
    for (; begin < end && end % fan != 0; --end) add(total, row[end - 1]);
    begin /= fan;
    end /= fan;
}

} // namespace

ValuePyramid::ValuePyramid(std::vector<float> values) : values_(std::move(values)) {
    if (values_.size() <= fan) return;
    levels_.push_back(blocks_of(values_));
    while (levels_.back().size() > fan) levels_.push_back(blocks_of(levels_.back()));
}

ValueSummary ValuePyramid::summary(std::size_t begin, std::size_t end) const {
    auto total = nothing;
    if (begin >= end) return total;
    if (levels_.empty()) {
        for (; begin < end; ++begin) add(total, values_[begin]);
        return total;
    }
    add_edges(values_, begin, end, total);
    for (std::size_t level = 0; begin < end; ++level) {
        if (level + 1 < levels_.size()) {
            add_edges(levels_[level], begin, end, total);
            continue;
        }
        for (; begin < end; ++begin) add(total, levels_[level][begin]);
    }
    return total;
}

std::vector<std::uint32_t> descending_order(std::span<const float> values) {
    // Keys that rise as the values fall: bits of floats order as the floats do once negative ones are turned
    // round. A radix sort in three passes keeps the order of equal keys.
    constexpr int digit_bits = 11;
    constexpr std::uint32_t digits = 1u << digit_bits;
    struct Item {
        std::uint32_t key, position;
    };
    std::vector<Item> items(values.size()), other(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float value = values[i] + 0.0F; // -0 counts as 0
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const auto rising = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
        items[i] = {std::isnan(value) ? std::numeric_limits<std::uint32_t>::max() : ~rising,
                    static_cast<std::uint32_t>(i)};
    }
    for (int shift = 0; shift < 32; shift += digit_bits) {
        std::array<std::uint32_t, digits> places{};
        for (const auto& item : items) ++places[(item.key >> shift) % digits];
        std::exclusive_scan(places.begin(), places.end(), places.begin(), 0u);
        for (const auto& item : items) other[places[(item.key >> shift) % digits]++] = item;
        items.swap(other);
    }
    std::vector<std::uint32_t> order(values.size());
    std::transform(items.begin(), items.end(), order.begin(), [](const Item& item) { return item.position; });
    return order;
}

} // namespace permafrost::profile
