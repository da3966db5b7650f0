// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/decision.h"

#include <algorithm>

namespace permafrost::verdict {
namespace {

bool has_statistics(const profile::Profile& profile, std::uint32_t layer) {
    return layer < profile.layers.size() && profile.layers[layer] && profile.layers[layer]->tokens() > 0;
}

std::uint32_t width_of(const profile::Profile& profile, std::uint32_t layer) {
    if (has_statistics(profile, layer)) return profile.layers[layer]->neurons();
    return layer < profile.info.intermediate.size() ? profile.info.intermediate[layer] : 0;
}

/// Neurons of a layer that are left to compute, at least one.
double neurons_left(std::uint32_t frozen, std::uint32_t neurons) {
    return neurons > frozen ? static_cast<double>(neurons - frozen) : 1.0;
}

masks::LayerMask empty_mask(std::uint32_t neurons) {
    return {masks::Bitmask(neurons), masks::Bitmask(neurons), masks::Bitmask(neurons)};
}

LayerMetrics measure(const profile::LayerProfile& layer, const masks::LayerMask& mask, std::uint32_t index) {
    LayerMetrics metrics;
    metrics.layer = index;
    metrics.neurons = layer.neurons();
    metrics.profiled = true;
    metrics.frozen = static_cast<std::uint32_t>(mask.frozen.count());
    metrics.saturated = static_cast<std::uint32_t>(mask.saturated.count());
    metrics.guarded = static_cast<std::uint32_t>(mask.guarded.count());
    if (metrics.neurons > 0) {
        metrics.frozen_share = static_cast<double>(metrics.frozen) / metrics.neurons;
        metrics.saturated_share = static_cast<double>(metrics.saturated) / metrics.neurons;
    }
    metrics.speedup = layer_speedup(metrics.frozen, metrics.neurons);
    metrics.average_variance = layer.average_variance();
    metrics.average_gate_variance = layer.average_gate_variance();
    metrics.average_up_variance = layer.average_up_variance();
    return metrics;
}

void decide_layers(const profile::Profile& profile, Decision& decision) {
    const auto count = std::max<std::size_t>(profile.info.layers, profile.layers.size());
    decision.masks.reserve(count);
    decision.layers.reserve(count);
    for (std::uint32_t layer = 0; layer < count; ++layer) {
        if (!has_statistics(profile, layer)) {
            decision.masks.emplace_back();
            decision.layers.push_back({.layer = layer, .neurons = width_of(profile, layer)});
            continue;
        }
        const auto& statistics = *profile.layers[layer];
        decision.masks.push_back(decision.rule.includes(layer)
                                     ? masks::freeze_layer(statistics, decision.rule.for_layer(layer))
                                     : empty_mask(statistics.neurons()));
        decision.layers.push_back(measure(statistics, decision.masks.back(), layer));
    }
}

// Speed-ups are added in long double, whose spare bits keep the mean of equal numbers equal to them: a model
// whose layers all reach exactly 1.05 must not end up above 1.05.
void sum_up(double ffn_weight_share, Decision& decision) {
    long double speedups = 0;
    std::uint64_t profiled = 0;
    std::uint64_t neurons = 0;
    double left = 0;
    for (const auto& layer : decision.layers) {
        if (!layer.profiled) continue;
        ++profiled;
        neurons += layer.neurons;
        left += neurons_left(layer.frozen, layer.neurons);
        speedups += layer.speedup;
        decision.frozen += layer.frozen;
        decision.saturated += layer.saturated;
        decision.guarded += layer.guarded;
        decision.mask_bytes += (layer.neurons + 7) / 8 + 4;
    }
    if (profiled == 0 || neurons == 0) return;
    decision.average_speedup = static_cast<double>(speedups / static_cast<long double>(profiled));
    decision.frozen_share = static_cast<double>(decision.frozen) / static_cast<double>(neurons);
    decision.saturated_share = static_cast<double>(decision.saturated) / static_cast<double>(neurons);
    decision.ffn_speedup = static_cast<double>(neurons) / left;
    decision.model_speedup = 1 / (1 - ffn_weight_share * (1 - left / static_cast<double>(neurons)));
}

void fill_band(const std::vector<LayerMetrics>& layers, Band& band) {
    if (band.empty) return;
    double frozen = 0;
    double saturated = 0;
    std::uint32_t profiled = 0;
    for (std::uint32_t layer = band.first; layer <= band.last; ++layer) {
        if (!layers[layer].profiled) continue;
        ++profiled;
        frozen += layers[layer].frozen_share;
        saturated += layers[layer].saturated_share;
    }
    if (profiled == 0) return;
    band.frozen_share = frozen / profiled;
    band.saturated_share = saturated / profiled;
}

bool any_profiled(const std::vector<LayerMetrics>& layers, const Band& band) {
    if (band.empty) return false;
    return std::any_of(layers.begin() + band.first, layers.begin() + band.last + 1,
                       [](const LayerMetrics& layer) { return layer.profiled; });
}

} // namespace

double layer_speedup(std::uint32_t frozen, std::uint32_t neurons) {
    return neurons == 0 ? 1.0 : neurons / neurons_left(frozen, neurons);
}

Decision decide(const profile::Profile& profile, const masks::FreezeRule& rule) {
    Decision decision;
    decision.rule = rule;
    decide_layers(profile, decision);
    sum_up(profile.info.ffn_weight_share, decision);
    decision.bands = cut_bands(static_cast<std::uint32_t>(decision.layers.size()));
    for (auto& band : decision.bands) fill_band(decision.layers, band);
    const auto& [early, mid, late] = decision.bands;
    // A trend needs both ends: while the first wave runs only the early layers have numbers.
    if (any_profiled(decision.layers, early) && any_profiled(decision.layers, late))
        decision.trend = trend_of(early.frozen_share, late.frozen_share);
    decision.verdict = judge(decision.average_speedup);
    decision.provisional = !profile.complete();
    return decision;
}

} // namespace permafrost::verdict
