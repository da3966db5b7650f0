// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/magnitude_bins.h"

#include <bit>
#include <cmath>
#include <limits>

namespace permafrost::profile::magnitude_bins {
namespace {

// Written out rather than computed with pow(), whose last bit differs between C libraries.
constexpr std::array<double, last_decade - first_decade + 1> decades{1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2};
constexpr std::array<double, per_decade> steps{1.0,
                                               1.3335214321633241,  // 10^(1/8)
                                               1.7782794100389228,  // 10^(2/8)
                                               2.3713737056616552,  // 10^(3/8)
                                               3.1622776601683795,  // 10^(4/8)
                                               4.2169650342858226,  // 10^(5/8)
                                               5.6234132519034912,  // 10^(6/8)
                                               7.4989420933245583}; // 10^(7/8)

constexpr std::array<float, edge_count> make_edges() {
    std::array<float, edge_count> edges{};
    for (std::size_t k = 0; k < edge_count; ++k)
        edges[k] = static_cast<float>(decades[k / per_decade] * steps[k % per_decade]);
    return edges;
}

constexpr std::array<float, edge_count> all_edges = make_edges();

// Floats that share exponent and the first three bits of the fraction form an interval that is narrower than
// a bin, so that it holds at most one edge: a table gives the bin of its lower end and one comparison
// decides.
constexpr int interval_shift = 20;
constexpr std::uint32_t first_interval = (127u - 14u) << 3; // begins at 2^-14, below the first edge
constexpr std::uint32_t last_interval = (127u + 7u) << 3;   // begins at 2^7, above the last edge

struct IntervalTable {
    std::array<std::uint8_t, last_interval - first_interval> bin{};
    std::array<float, edge_count + 1> next_edge{};
};

constexpr IntervalTable make_intervals() {
    IntervalTable table;
    for (std::uint32_t i = 0; i < table.bin.size(); ++i) {
        const auto lower = std::bit_cast<float>((first_interval + i) << interval_shift);
        std::uint8_t bin = 0;
        while (bin < edge_count && all_edges[bin] <= lower) ++bin;
        table.bin[i] = bin;
    }
    for (std::size_t k = 0; k < edge_count; ++k) table.next_edge[k] = all_edges[k];
    table.next_edge[edge_count] = std::numeric_limits<float>::infinity();
    return table;
}

constexpr IntervalTable intervals = make_intervals();

} // namespace

const std::array<float, edge_count>& edges() { return all_edges; }

int edge_at_or_below(double threshold) {
    const auto rounded = static_cast<float>(threshold);
    int edge = -1;
    while (edge + 1 < static_cast<int>(edge_count) &&
           all_edges[static_cast<std::size_t>(edge + 1)] <= rounded)
        ++edge;
    return edge;
}

std::size_t bin_of(float magnitude) {
    const std::uint32_t interval = std::bit_cast<std::uint32_t>(magnitude) >> interval_shift;
    if (interval < first_interval) return 0;
    if (interval >= last_interval) return edge_count;
    const std::size_t bin = intervals.bin[interval - first_interval];
    return bin + (magnitude >= intervals.next_edge[bin] ? 1 : 0);
}

} // namespace permafrost::profile::magnitude_bins
