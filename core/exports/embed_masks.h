// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/model_file.h"
#include "core/formats/write_control.h"
#include "core/masks/saturation_maps.h"

#include <filesystem>

namespace permafrost::exports {

/// Writes the model with the masks in it, by the target's ending:
///   .gguf              the key "permafrost.masks", a u8 array that is a mask blob (masks/mask_blob.h), which other programs skip
///   .safetensors       the same in base64 under that key of "__metadata__"; from a model whose weights are in one .safetensors
///   .rknot             in its header, as the seeds' SaturationMaps
///   .saturation.json   the masks alone (masks/mask_sidecar.h)
/// The tensors' bytes are copied as they are. Masks that the model has already are replaced. Atomic; what was written is read back
/// before it counts as done.
/// Errors: masks that do not fit the model's layers, another ending, the target is the model itself, the disk.
Result<void> embed_masks(const formats::ModelFile& model, const masks::SaturationMaps& maps,
                         const std::filesystem::path& target, const formats::WriteControl& control = {});

} // namespace permafrost::exports
