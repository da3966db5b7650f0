// SPDX-License-Identifier: GPL-3.0-or-later
//
// The seeds' SaturationMaps: frozen masks of a model's layers as they travel in the header of a .rknot.
#pragma once

#include "core/base/result.h"
#include "core/masks/bitmask.h"
#include "core/text/overlap_sketch.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace permafrost::masks {

struct SaturationMaps {
    std::map<std::uint32_t, Bitmask> layers; ///< (layer) frozen neurons
    std::string model_name;                  ///< empty when the file has none
    std::string method;
    std::string date;
    /// Of the text that the masks were made from, where the file says.
    std::optional<text::OverlapSketch> corpus_sketch;
};

/// Key of a .rknot's metadata.
inline constexpr std::string_view corpus_sketch_key = "permafrost.corpus_sketch";

/// Errors name `where`: not JSON, a mask whose length does not fit its neurons, a layer given twice.
Result<SaturationMaps> parse_saturation_maps(const std::string& json, const std::string& where);

/// The masks in a .rknot. Errors: as above, a file without masks.
Result<SaturationMaps> read_saturation_maps(const std::filesystem::path& path);

} // namespace permafrost::masks
