// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/agreement.h"

#include <algorithm>
#include <cmath>

namespace permafrost::masks {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Bitmask frozen_in(const profile::LayerProfilePtr& layer, std::uint32_t index, const FreezeRule& rule) {
    if (!layer) return {};
    if (!rule.includes(index)) return Bitmask(layer->neurons());
    return freeze_layer(*layer, rule.for_layer(index)).frozen;
}

} // namespace

double Agreement::jaccard() const {
    const auto either = frozen_a + frozen_b - frozen_both;
    return either == 0 ? 1 : ratio(frozen_both, either);
}
double Agreement::share_a() const { return ratio(frozen_a, neurons); }
double Agreement::share_b() const { return ratio(frozen_b, neurons); }
double Agreement::share_difference() const { return std::fabs(share_a() - share_b()); }

Agreement agreement(const Bitmask& a, const Bitmask& b) {
    return {std::max(a.size(), b.size()), a.count(), b.count(), intersected(a, b).count()};
}

Agreement sum(std::span<const Agreement> layers) {
    Agreement total;
    for (const auto& layer : layers) {
        total.neurons += layer.neurons;
        total.frozen_a += layer.frozen_a;
        total.frozen_b += layer.frozen_b;
        total.frozen_both += layer.frozen_both;
    }
    return total;
}

std::vector<Agreement> agreement_by_layer(std::span<const profile::LayerProfilePtr> a,
                                          std::span<const profile::LayerProfilePtr> b,
                                          const FreezeRule& rule) {
    std::vector<Agreement> layers;
    for (std::uint32_t layer = 0; layer < a.size(); ++layer)
        layers.push_back(agreement(frozen_in(a[layer], layer, rule), frozen_in(b[layer], layer, rule)));
    return layers;
}

profile::CompareHalves halves_compared_by(FreezeRule rule) {
    return [rule = std::move(rule)](std::span<const profile::LayerProfilePtr> a,
                                    std::span<const profile::LayerProfilePtr> b) {
        const auto layers = agreement_by_layer(a, b, rule);
        const auto total = sum(layers);
        profile::StabilityPoint point{0, total.frozen_a, total.frozen_b, total.frozen_both, 0};
        for (const auto& layer : layers)
            point.layer_difference = std::max(point.layer_difference, layer.share_difference());
        return point;
    };
}

} // namespace permafrost::masks
