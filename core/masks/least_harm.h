// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/freeze_rule.h"
#include "core/profile/profile.h"

#include <stop_token>

namespace permafrost::masks {

/// A neuron's harm: the part of its layer's FFN output that is lost when it is replaced by its mean,
///   var(h) * |down column|^2 / scale^2,
/// the square of LayerProfile::impact() over the layer's profile::output_scales(). Harms of several neurons of a layer add up as
/// far as the neurons are uncorrelated.
///
/// The rule that freezes `share` of all profiled neurons, those of least harm over all included layers
/// together: Method::Impact with one quantile a layer. Guarded neurons stay active, so fewer may be frozen.
/// The order is the same for every run: equal harms are taken from the lower layer, then the lower index.
/// Errors: a share outside 0 … 1, nothing profiled; cancelled when stopped.
Result<FreezeRule> freeze_at_least_harm(const profile::Profile& profile, const FreezeRule& base, double share,
                                        const std::stop_token& stop = {});

} // namespace permafrost::masks
