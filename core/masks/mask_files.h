// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/saturation_maps.h"

#include <filesystem>

namespace permafrost::masks {

/// The masks in a .rknot, in a .gguf or .safetensors that embed_masks() wrote, in a folder of safetensors of which one has them, or
/// in a NAME.saturation.json; for a model without masks of its own, those of the sidecar beside it.
/// Errors: a file without masks, damaged ones.
Result<SaturationMaps> read_saturation_maps(const std::filesystem::path& path);

} // namespace permafrost::masks
