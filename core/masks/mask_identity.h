// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/bitmask.h"

#include <cstdint>
#include <map>
#include <string>

namespace permafrost::masks {

/// SHA-256 over which neurons of which layers are frozen: equal for equal masks, however they were made and stored. Layers
/// without a frozen neuron count like layers that are absent.
std::string mask_identity(const std::map<std::uint32_t, Bitmask>& layers);

} // namespace permafrost::masks
