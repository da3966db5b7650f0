// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/least_harm.h"

#include "core/base/number_text.h"
#include "core/masks/freeze_kernel.h"
#include "core/masks/smallest_share.h"
#include "core/profile/output_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace permafrost::masks {
namespace {

constexpr float never = std::numeric_limits<float>::infinity();

/// Impact over the layer's scale of every neuron that may be frozen, `never` for the others.
std::vector<float> harms_of(const profile::LayerProfile& layer, const FreezeRule& rule, double scale) {
    const FreezeLimits limits(layer, rule);
    const auto impact = layer.impact();
    const auto guard = layer.guard_score();
    const double unit = scale > 0 ? scale : 1.0;
    std::vector<float> harms(layer.neurons());
    for (std::size_t i = 0; i < harms.size(); ++i) {
        const bool known = layer.count(i) > 0 && !std::isnan(impact[i]) && !std::isnan(guard[i]);
        const bool guarded = rule.guard && guard[i] >= limits.guard;
        harms[i] = known && !guarded ? static_cast<float>(impact[i] / unit) : never;
    }
    return harms;
}

/// How many of the layer's neurons, smallest impact first, reach as far as its `wanted`-th one that may be
/// frozen.
std::size_t rank_of(std::span<const float> impact, std::span<const float> harms, std::size_t wanted) {
    std::vector<float> open;
    for (std::size_t i = 0; i < harms.size(); ++i)
        if (harms[i] != never) open.push_back(impact[i]);
    const auto place = open.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::nth_element(open.begin(), place, open.end());
    const float last = *place;
    std::size_t rank = 0, taken = 0;
    for (std::size_t i = 0; i < harms.size(); ++i) {
        if (!(impact[i] < last)) continue;
        ++rank;
        taken += harms[i] != never;
    }
    for (std::size_t i = 0; i < harms.size() && taken < wanted; ++i) {
        if (impact[i] != last) continue;
        ++rank;
        taken += harms[i] != never;
    }
    return rank;
}

} // namespace

Result<FreezeRule> freeze_at_least_harm(const profile::Profile& profile, const FreezeRule& base, double share,
                                        const std::stop_token& stop) {
    if (!(share >= 0 && share <= 1))
        return Error{"The share of neurons to freeze is " + general_text(share) +
                     "; it must lie between 0 and 1."};
    std::vector<std::vector<float>> harms(profile.layers.size());
    const auto scales = profile::output_scales(profile);
    std::vector<float> all;
    std::size_t neurons = 0;
    for (std::uint32_t layer = 0; layer < profile.layers.size(); ++layer) {
        if (stop.stop_requested()) return Cancelled{};
        const auto& statistics = profile.layers[layer];
        if (!statistics || statistics->tokens() == 0) continue;
        neurons += statistics->neurons();
        if (!base.includes(layer)) continue;
        harms[layer] = harms_of(*statistics, base.for_layer(layer), scales[layer]);
        std::copy_if(harms[layer].begin(), harms[layer].end(), std::back_inserter(all),
                     [](float harm) { return harm != never; });
    }
    if (neurons == 0) return Error{"Nothing is profiled yet, so nothing can be frozen."};

    FreezeRule rule = base;
    rule.method = FreezeRule::Method::Impact;
    rule.quantile = 0;
    for (auto& [layer, own] : rule.layer_rules) own.quantile.reset();
    std::erase_if(rule.layer_rules, [](const auto& entry) { return entry.second.follows_the_rule(); });
    const std::size_t wanted = std::min(count_of_share(share, neurons), all.size());
    if (wanted == 0) return rule;
    const auto place = all.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::nth_element(all.begin(), place, all.end());
    const float largest = *place;
    std::size_t of_largest =
        wanted - static_cast<std::size_t>(
                     std::count_if(all.begin(), all.end(), [&](float harm) { return harm < largest; }));
    for (std::uint32_t layer = 0; layer < harms.size(); ++layer) {
        if (stop.stop_requested()) return Cancelled{};
        std::size_t chosen = 0, ties = 0;
        for (const float harm : harms[layer]) {
            chosen += harm < largest;
            ties += harm == largest;
        }
        const auto taken = std::min(ties, of_largest);
        of_largest -= taken;
        chosen += taken;
        if (chosen == 0) continue;
        const auto rank = rank_of(profile.layers[layer]->impact(), harms[layer], chosen);
        rule.layer_rules[layer].quantile =
            static_cast<double>(rank) / static_cast<double>(harms[layer].size());
    }
    return rule;
}

} // namespace permafrost::masks
