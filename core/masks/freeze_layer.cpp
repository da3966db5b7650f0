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
    }
    return apply_limits(layer, rule, limits, {});
}

} // namespace permafrost::masks
