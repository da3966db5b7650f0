// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/freeze_kernel.h"
#include "core/masks/smallest_share.h"

namespace permafrost::masks {

LayerMask freeze_layer(const profile::LayerProfile& layer, const FreezeRule& rule) {
    const FreezeLimits limits(layer, rule);
    switch (rule.method) {
    case FreezeRule::Method::Criteria:
        break;
    case FreezeRule::Method::Quantile:
        return apply_limits(layer, rule, limits, mark_smallest(layer.rms(), rule.quantile));
    case FreezeRule::Method::Impact:
        return apply_limits(layer, rule, limits, mark_smallest(layer.impact(), rule.quantile));
    case FreezeRule::Method::VarianceGradient: {
        auto marks = mark_smallest(layer.variance(), rule.quantile);
        const auto steady = mark_smallest(layer.temporal_gradients(), rule.quantile);
        for (std::size_t i = 0; i < marks.size(); ++i) marks[i] &= steady[i];
        return apply_limits(layer, rule, limits, marks);
    }
    }
    return apply_limits(layer, rule, limits, {});
}

} // namespace permafrost::masks
