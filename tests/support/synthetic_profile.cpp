// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/synthetic_profile.h"

#include "core/profile/sample_profile.h"

#include <cmath>

namespace permafrost::test {
namespace {

constexpr std::uint32_t tokens = 1000;

} // namespace

profile::ProfilePtr synthetic_profile(std::uint32_t layers, std::uint32_t neurons, std::uint64_t seed) {
    return profile::sample_profile(layers, neurons, seed);
}

profile::LayerProfilePtr layer_of(const std::vector<NeuronFigures>& neurons) {
    profile::LayerStatistics layer(static_cast<std::uint32_t>(neurons.size()));
    layer.tokens = tokens;
    layer.transitions = tokens - 1;
    layer.tokens_by_position.fill(tokens / profile::position_buckets);
    for (std::size_t i = 0; i < neurons.size(); ++i) {
        const auto& figures = neurons[i];
        layer.sum[i] = fixed_point::from_double(figures.mean * tokens);
        layer.sum_squares[i] =
            fixed_point::from_double((figures.variance + figures.mean * figures.mean) * tokens);
        layer.minimum[i] = -figures.peak;
        layer.maximum[i] = figures.peak;
        layer.down_norm[i] = figures.down_norm;
        for (std::size_t edge = 0; edge < profile::magnitude_bins::edge_count; ++edge)
            layer.below[edge * layer.neurons + i] =
                static_cast<std::uint32_t>(std::llround(figures.low_share * tokens));
    }
    return std::make_shared<const profile::LayerProfile>(std::move(layer));
}

profile::ProfilePtr
profile_with_frozen(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& frozen_of_neurons) {
    const NeuronFigures frozen{.mean = 0, .variance = 1e-4, .low_share = 1, .peak = 0.1f};
    const NeuronFigures active{.mean = 0.5, .variance = 1, .low_share = 0, .peak = 3};
    auto profile = std::make_shared<profile::Profile>();
    auto& info = profile->info;
    info.model_name = "phi3-mini";
    info.architecture = "phi3";
    info.corpus_source = "built-in prompts";
    info.layers = static_cast<std::uint32_t>(frozen_of_neurons.size());
    info.hidden = 64;
    info.context = 500;
    info.sequences = 2;
    info.prompts = 100;
    info.tokens = tokens;
    info.ffn_weight_share = 0.5;
    info.tiles = 2;
    info.tiles_done = {true, true};
    info.tool_version = std::string(PERMAFROST_VERSION);
    for (const auto& [count, neurons] : frozen_of_neurons) {
        std::vector<NeuronFigures> figures(neurons, active);
        for (std::size_t i = 0; i < count; ++i) figures[i] = frozen;
        info.intermediate.push_back(neurons);
        profile->layers.push_back(layer_of(figures));
    }
    return profile;
}

} // namespace permafrost::test
