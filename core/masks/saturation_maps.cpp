// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/saturation_maps.h"

#include "core/formats/knot.h"
#include "core/formats/model_file.h"

#include <nlohmann/json.hpp>

namespace permafrost::masks {
namespace {

constexpr std::uint64_t most_neurons = std::uint64_t{1} << 24;
constexpr std::uint64_t most_layers = 4096;

} // namespace

Result<SaturationMaps> parse_saturation_maps(const std::string& json, const std::string& where) try {
    const auto refused = [&](const std::string& why) { return Error{where + ": " + why}; };
    const auto maps = nlohmann::json::parse(json, nullptr, false);
    if (maps.is_discarded() || !maps.contains("ffn_frozen_per_layer") ||
        !maps["ffn_frozen_per_layer"].is_object())
        return refused(
            "its saturation_maps cannot be read; the file is damaged, or not written for SaturationMaps");
    SaturationMaps result;
    for (const auto& [key, mask] : maps["ffn_frozen_per_layer"].items()) {
        const auto layer = mask.at("layer_id").get<std::uint64_t>();
        const auto neurons = mask.at("num_neurons").get<std::uint64_t>();
        if (layer >= most_layers || neurons > most_neurons)
            return refused("layer " + key + " has a number or a width that no model has");
        const auto& bytes = mask.at("frozen_mask");
        if (!bytes.is_array() || bytes.size() != (neurons + 7) / 8)
            return refused("the mask of layer " + key + " has the wrong length");
        Bitmask bits(neurons, bytes.get<std::vector<std::uint8_t>>());
        if (!result.layers.emplace(static_cast<std::uint32_t>(layer), std::move(bits)).second)
            return refused("layer " + std::to_string(layer) + " has two masks");
    }
    const auto text = [&](const char* key) {
        return maps.contains(key) && maps[key].is_string() ? maps[key].get<std::string>() : std::string();
    };
    result.model_name = text("model_name");
    result.method = text("profile_method");
    result.date = text("profile_date");
    return result;
} catch (const nlohmann::json::exception&) {
    return Error{where + ": its saturation_maps hold a value of the wrong kind, or lack one"};
}

Result<SaturationMaps> read_saturation_maps(const std::filesystem::path& path) {
    PERMAFROST_TRY(const auto json, formats::read_saturation_maps(path));
    if (json.empty())
        return Error{path.string() +
                     ": it carries no masks; `mask PROFILE --output-dir DIR` writes a .rknot that does"};
    PERMAFROST_TRY(auto maps, parse_saturation_maps(json, path.string()));
    PERMAFROST_TRY(const auto file, formats::open_model_file(path.string()));
    if (const auto* sketch = file->metadata().string(corpus_sketch_key))
        maps.corpus_sketch = text::parse_overlap_sketch(*sketch);
    return maps;
}

} // namespace permafrost::masks
