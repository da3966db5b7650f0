// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/cliff_score.h"

#include <algorithm>
#include <array>

namespace permafrost::profile {

std::optional<double> cliff_score(const LayerStatistics& statistics, double inactive_share) {
    std::array<std::uint64_t, position_buckets> begin{};
    std::uint64_t silent = 0;
    for (std::size_t neuron = 0; neuron < statistics.neurons; ++neuron) {
        std::size_t first = position_buckets; // the bucket from which on the neuron is silent
        for (std::size_t bucket = position_buckets; bucket-- > 0;) {
            const auto tokens = statistics.tokens_by_position[bucket];
            if (tokens == 0) continue;
            const auto low = statistics.low_by_position[bucket * statistics.neurons + neuron];
            if (static_cast<double>(low) <= inactive_share * static_cast<double>(tokens)) break;
            first = bucket;
        }
        if (first == position_buckets) continue;
        ++begin[first];
        ++silent;
    }
    if (silent == 0) return std::nullopt;
    return static_cast<double>(*std::max_element(begin.begin(), begin.end())) / static_cast<double>(silent);
}

const char* cliff_band(double score) { return score > 0.6 ? "sharp" : score > 0.3 ? "moderate" : "gradual"; }

} // namespace permafrost::profile
