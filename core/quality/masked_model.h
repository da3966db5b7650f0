// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/masks/bitmask.h"
#include "core/profile/profile.h"
#include "core/quality/evaluation.h"
#include "core/quality/handling.h"
#include "core/verdict/decision.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace permafrost::quality {

/// The masks of a decision by layer, without layers that have none.
std::map<std::uint32_t, masks::Bitmask> masks_of(const verdict::Decision& decision);

/// The variant of a model in which the masks' neurons are frozen as `handling` says. `widths`: (layer) FFN neurons of the
/// model. `means` may be null when no mean is needed. Errors: a layer the model does not have, a mask of another width;
/// means that are missing, of another model's shape or without a layer's statistics.
Result<MaskedModel> masked_model(const std::string& name,
                                 const std::map<std::uint32_t, masks::Bitmask>& layers,
                                 const std::vector<std::uint32_t>& widths,
                                 const FrozenHandling& handling = {},
                                 const profile::Profile* means = nullptr);

/// The variant in which one neuron alone is set to zero. Errors: the model has no such layer or neuron.
Result<MaskedModel> without_neuron(std::uint32_t layer, std::uint32_t neuron,
                                   const std::vector<std::uint32_t>& widths);

/// SHA-256 over which neurons are frozen and what becomes of them: equal for variants that compute the same.
std::string variant_identity(const MaskedModel& variant);

} // namespace permafrost::quality
