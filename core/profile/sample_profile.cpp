// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/sample_profile.h"

#include "core/base/thread_pool.h"

#include <algorithm>
#include <cmath>

namespace permafrost::profile {
namespace {

constexpr std::uint32_t sample_tokens = 4096;
constexpr std::uint32_t sample_context = 512;

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same everywhere, unlike the standard library's
/// distributions.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double uniform(double from, double to) {
        return from + (to - from) * static_cast<double>(next() >> 11) * 0x1p-53;
    }

  private:
    std::uint64_t state_;
};

struct Moments {
    double mean = 0;
    double deviation = 0;
};

void set_moments(std::vector<Int128>& sum, std::vector<Int128>& sum_squares, std::size_t neuron,
                 Moments moments) {
    const double squares = moments.deviation * moments.deviation + moments.mean * moments.mean;
    sum[neuron] = fixed_point::from_double(moments.mean * sample_tokens);
    sum_squares[neuron] = fixed_point::from_double(squares * sample_tokens);
}

Moments draw_activation(Random& random, double frozen_share) {
    if (random.uniform(0, 1) < frozen_share) return {random.uniform(-5e-4, 5e-4), random.uniform(1e-4, 5e-2)};
    const double deviation = std::pow(10.0, random.uniform(-1.3, 0.7));
    return {deviation * random.uniform(-0.3, 0.3), deviation};
}

void set_neuron(LayerStatistics& layer, std::size_t neuron, double frozen_share, Random& random) {
    const Moments h = draw_activation(random, frozen_share);
    set_moments(layer.sum, layer.sum_squares, neuron, h);
    set_moments(layer.gate_sum, layer.gate_sum_squares, neuron,
                {random.uniform(-1, 0.2), random.uniform(0.1, 2)});
    set_moments(layer.up_sum, layer.up_sum_squares, neuron,
                {random.uniform(-0.1, 0.1), random.uniform(0.1, 1)});
    layer.transition_sum[neuron] =
        fixed_point::from_double(1.1 * h.deviation * static_cast<double>(layer.transitions));
    layer.minimum[neuron] = static_cast<float>(h.mean - random.uniform(1, 4) * h.deviation);
    layer.maximum[neuron] = static_cast<float>(h.mean + random.uniform(1, 6) * h.deviation);
    layer.first_token_peak[neuron] = static_cast<float>(random.uniform(0, 1)) * layer.maximum[neuron];
    layer.down_norm[neuron] = static_cast<float>(random.uniform(0.3, 1.5));
}

/// Share of tokens below an edge as if |h| were distributed with F(x) = x / (x + deviation).
void set_counts(LayerStatistics& layer) {
    std::vector<float> deviation(layer.neurons);
    for (std::size_t i = 0; i < deviation.size(); ++i)
        deviation[i] = std::max(layer.maximum[i], -layer.minimum[i]) * 0.25f;
    const auto& edges = magnitude_bins::edges();
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
        std::uint32_t* counts = layer.below.data() + edge * layer.neurons;
        for (std::size_t i = 0; i < deviation.size(); ++i)
            counts[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(
                float{sample_tokens} * (edges[edge] / (edges[edge] + deviation[i]))));
    }
    const auto threshold_edge =
        static_cast<std::size_t>(magnitude_bins::edge_at_or_below(low_activity_by_position_threshold));
    for (std::size_t i = 0; i < deviation.size(); ++i) {
        const std::uint32_t low = layer.below[threshold_edge * layer.neurons + i];
        for (std::uint32_t bucket = 0; bucket < position_buckets; ++bucket)
            layer.low_by_position[bucket * layer.neurons + i] =
                low / position_buckets + (bucket < low % position_buckets ? 1 : 0);
    }
}

LayerProfilePtr sample_layer(std::uint32_t neurons, double frozen_share, std::uint64_t seed) {
    Random random(seed);
    LayerStatistics layer(neurons);
    layer.tokens = sample_tokens;
    layer.transitions = sample_tokens - sample_tokens / sample_context;
    layer.tokens_by_position.fill(sample_tokens / position_buckets);
    for (std::size_t neuron = 0; neuron < neurons; ++neuron) set_neuron(layer, neuron, frozen_share, random);
    set_counts(layer);
    return std::make_shared<const LayerProfile>(std::move(layer));
}

ProfileInfo sample_info(std::uint32_t layers, std::uint32_t neurons) {
    ProfileInfo info;
    info.model_name = "random statistics";
    info.architecture = "llama";
    info.model_sha256 = std::string(64, '0');
    info.corpus_sha256 = std::string(64, '0');
    info.corpus_source = "random numbers";
    info.layers = layers;
    info.hidden = std::max(1u, neurons / 4);
    info.intermediate.assign(layers, neurons);
    info.context = sample_context;
    info.sequences = sample_tokens / sample_context;
    info.prompts = info.sequences;
    info.tokens = sample_tokens;
    info.domain_tokens = {{"random", sample_tokens}};
    info.ffn_weight_share = 0.65;
    info.tiles = 1;
    info.tiles_done = {true};
    info.tool_version = std::string(PERMAFROST_VERSION);
    return info;
}

} // namespace

ProfilePtr sample_profile(std::uint32_t layers, std::uint32_t neurons, std::uint64_t seed) {
    auto profile = std::make_shared<Profile>();
    profile->info = sample_info(layers, neurons);
    profile->layers.resize(layers);
    ThreadPool pool;
    pool.parallel_for(layers, [&](std::size_t layer, std::size_t) {
        const double frozen_share = 0.02 + 0.28 * static_cast<double>(layer) / std::max(1.0, layers - 1.0);
        profile->layers[layer] = sample_layer(neurons, frozen_share, Random(seed ^ (layer << 32)).next());
    });
    return profile;
}

} // namespace permafrost::profile
