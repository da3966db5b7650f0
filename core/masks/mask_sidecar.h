// SPDX-License-Identifier: GPL-3.0-or-later
//
// NAME.saturation.json: the masks beside a model whose file stays as it is. One JSON object:
//   "format": "permafrost-saturation", "version": 1
//   "model_name", "profile_method", "profile_date": as in the seeds' SaturationMaps
//   "cliff_scores": {"layer": score}
//   "layers": [{"layer", "neurons", "frozen", "pct_frozen"}], for people
//   "corpus_sketch": of the text that the masks were made from, where it is known
//   "masks": base64 of a mask blob (masks/mask_blob.h), which is what counts
#pragma once

#include "core/masks/saturation_maps.h"

#include <filesystem>

namespace permafrost::masks {

inline constexpr std::string_view sidecar_ending = ".saturation.json";

std::string sidecar_text(const SaturationMaps& maps);
/// Errors name `where`: not JSON, no sidecar, of a newer version, a damaged blob.
Result<SaturationMaps> parse_sidecar(const std::string& json, const std::string& where);

/// model.gguf: model.saturation.json
std::filesystem::path sidecar_of(const std::filesystem::path& model);

} // namespace permafrost::masks
