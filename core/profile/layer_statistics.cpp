// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/layer_statistics.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

namespace permafrost::profile {
namespace {

__extension__ typedef unsigned __int128 UnsignedInt128;

// Through unsigned integers, whose wrapping is defined: sums that come from a file may be anything.
void add(std::vector<Int128>& sums, const std::vector<Int128>& other) {
    for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i] =
            static_cast<Int128>(static_cast<UnsignedInt128>(sums[i]) + static_cast<UnsignedInt128>(other[i]));
}

void add(std::vector<std::uint32_t>& counts, const std::vector<std::uint32_t>& other) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other[i];
}

// Adding +0 turns -0 into +0, so that the order in which zeros of both signs came leaves no trace.
void keep_smaller(std::vector<float>& values, const std::vector<float>& other) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::min(values[i], other[i]) + 0.0f;
}

void keep_larger(std::vector<float>& values, const std::vector<float>& other) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], other[i]) + 0.0f;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

template <class T>
std::uint64_t bytes_in(const std::vector<T>& values) {
    return values.capacity() * sizeof(T);
}

} // namespace

LayerStatistics::LayerStatistics(std::uint32_t neuron_count)
    : neurons(neuron_count), sum(neuron_count), sum_squares(neuron_count), gate_sum(neuron_count),
      gate_sum_squares(neuron_count), up_sum(neuron_count), up_sum_squares(neuron_count),
      transition_sum(neuron_count), minimum(neuron_count, std::numeric_limits<float>::infinity()),
      maximum(neuron_count, -std::numeric_limits<float>::infinity()), first_token_peak(neuron_count),
      non_finite(neuron_count), down_norm(neuron_count),
      below(std::size_t{neuron_count} * magnitude_bins::edge_count),
      low_by_position(std::size_t{neuron_count} * position_buckets) {}

Result<void> LayerStatistics::merge(const LayerStatistics& other) {
    if (neurons != other.neurons)
        return Error{"Statistics of " + std::to_string(neurons) + " and of " + std::to_string(other.neurons) +
                     " neurons do not add up: they are of different models."};
    if (!same_bits(down_norm, other.down_norm))
        return Error{"The down projections' column norms differ: the statistics are of different models."};
    if (other.tokens >
        std::numeric_limits<std::uint32_t>::max() - std::min<std::uint64_t>(tokens, UINT32_MAX))
        return Error{"A profile holds at most 4294967295 tokens; these parts hold more together."};

    tokens += other.tokens;
    transitions += other.transitions;
    for (std::size_t bucket = 0; bucket < position_buckets; ++bucket)
        tokens_by_position[bucket] += other.tokens_by_position[bucket];
    add(sum, other.sum);
    add(sum_squares, other.sum_squares);
    add(gate_sum, other.gate_sum);
    add(gate_sum_squares, other.gate_sum_squares);
    add(up_sum, other.up_sum);
    add(up_sum_squares, other.up_sum_squares);
    add(transition_sum, other.transition_sum);
    keep_smaller(minimum, other.minimum);
    keep_larger(maximum, other.maximum);
    keep_larger(first_token_peak, other.first_token_peak);
    add(non_finite, other.non_finite);
    add(below, other.below);
    add(low_by_position, other.low_by_position);
    return {};
}

std::uint64_t LayerStatistics::bytes() const {
    std::uint64_t total = 0;
    for (auto* sums :
         {&sum, &sum_squares, &gate_sum, &gate_sum_squares, &up_sum, &up_sum_squares, &transition_sum})
        total += bytes_in(*sums);
    for (auto* values : {&minimum, &maximum, &first_token_peak, &down_norm}) total += bytes_in(*values);
    for (auto* counts : {&non_finite, &below, &low_by_position}) total += bytes_in(*counts);
    return total;
}

} // namespace permafrost::profile
