// SPDX-License-Identifier: GPL-3.0-or-later
//
// Integration kits: masks, code and instructions for a program that runs models (resources/integrations).
#pragma once

#include "core/base/result.h"
#include "core/masks/saturation_maps.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace permafrost::exports {

/// "transformers", "vllm", "llama.cpp", "tgi", "aether", "gnosis-uring"
std::vector<std::string> kit_names();

/// boundary-hints.json: {"model_name", "boundaries": [{"layer_id", "num_neurons", "frozen_indices", "estimated_speedup"}]}; a layer
/// that is frozen entirely has no finite speed-up, and null.
std::string boundary_hints_json(const masks::SaturationMaps& maps);

/// Writes the kit into `folder`, which must be new or empty: its README with the model's name and path put in, its code, what the
/// code needs to read masks, and masks.saturation.json. Returns the paths. Errors: no such kit, a folder with something in it, the
/// disk.
Result<std::vector<std::filesystem::path>> write_kit(const std::string& kit, const std::string& model_path,
                                                     const masks::SaturationMaps& maps,
                                                     const std::filesystem::path& folder);

} // namespace permafrost::exports
