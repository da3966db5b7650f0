// SPDX-License-Identifier: GPL-3.0-or-later
//
// The seeds' SaturationMaps: frozen masks of a model's layers as they travel in the header of a .rknot.
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/masks/bitmask.h"
#include "core/text/overlap_sketch.h"

#include <cstdint>
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
    std::map<std::uint32_t, double>
        cliff_scores; ///< (layer) profile::cliff_score() of the layers that have one
    /// Of the text that the masks were made from, where the file says.
    std::optional<text::OverlapSketch> corpus_sketch;
};

/// Key of a .rknot's metadata.
inline constexpr std::string_view corpus_sketch_key = "permafrost.corpus_sketch";

/// Keys of a GGUF's metadata, where the masks are a mask blob in a u8 array, and of a safetensors' __metadata__, where they are its
/// base64; and what the masks are of. A .rknot has the cliff scores under the same key.
inline constexpr std::string_view mask_blob_key = "permafrost.masks";
inline constexpr std::string_view mask_model_key = "permafrost.masks.model_name";
inline constexpr std::string_view mask_method_key = "permafrost.masks.method";
inline constexpr std::string_view mask_date_key = "permafrost.masks.date";
inline constexpr std::string_view cliff_scores_key =
    "permafrost.masks.cliff_scores"; ///< JSON: {"layer": score}

/// What serde_json writes for the seeds' SaturationMaps, layers in order. Its `stats` is empty: the seeds name the elements' type but
/// not its fields, and a reader in Rust would refuse a guess.
std::string saturation_maps_text(const SaturationMaps& maps);

/// Errors name `where`: not JSON, a mask whose length does not fit its neurons, a layer given twice.
Result<SaturationMaps> parse_saturation_maps(const std::string& json, const std::string& where);

/// {"0":0.25,"3":1.0}; and back: layers and scores that are none are left out.
std::string cliff_scores_text(const std::map<std::uint32_t, double>& scores);
std::map<std::uint32_t, double> parse_cliff_scores(const std::string& json);

/// The masks in a mask blob (masks/mask_blob.h). Errors name `where`.
Result<std::map<std::uint32_t, Bitmask>> layers_of_blob(ByteSpan blob, const std::string& where);

} // namespace permafrost::masks
