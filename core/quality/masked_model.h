// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/masks/bitmask.h"
#include "core/profile/profile.h"
#include "core/quality/evaluation.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace permafrost::quality {

/// The variant of a model in which the masks' neurons are frozen: at zero, or with `means` at their mean h there.
/// `widths`: (layer) FFN neurons of the model. Errors: a layer the model does not have, a mask of another width; means of
/// another model's shape or without a layer's statistics.
Result<MaskedModel> masked_model(const std::string& name,
                                 const std::map<std::uint32_t, masks::Bitmask>& layers,
                                 const std::vector<std::uint32_t>& widths,
                                 const profile::Profile* means = nullptr);

} // namespace permafrost::quality
