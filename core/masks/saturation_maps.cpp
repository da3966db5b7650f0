// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/saturation_maps.h"

#include "core/formats/knot.h"
#include "core/formats/model_file.h"
#include "core/masks/mask_blob.h"

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

std::string saturation_maps_text(const SaturationMaps& maps) {
    using nlohmann::ordered_json;
    ordered_json layers = ordered_json::object();
    for (const auto& [layer, mask] : maps.layers) {
        const auto bytes = mask.bytes();
        layers[std::to_string(layer)] = {
            {"layer_id", layer},
            {"frozen_mask", std::vector<std::uint8_t>(bytes.begin(), bytes.end())},
            {"num_neurons", mask.size()}};
    }
    const ordered_json json{{"ffn_frozen_per_layer", std::move(layers)},
                            {"stats", ordered_json::array()},
                            {"profile_date", maps.date},
                            {"profile_method", maps.method},
                            {"model_name", maps.model_name}};
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

namespace {

Result<SaturationMaps> read_from_metadata(const formats::ModelFile& file, const formats::ValueArray& array) {
    const auto* values = std::get_if<std::vector<std::uint64_t>>(&array.values);
    if (!values || array.element != formats::ValueType::U8)
        return Error{file.location() + ": its key " + std::string(mask_blob_key) + " is no array of bytes"};
    std::vector<std::byte> blob;
    blob.reserve(values->size());
    for (const auto value : *values) blob.push_back(static_cast<std::byte>(value));
    PERMAFROST_TRY(const auto view, MaskBlobView::open(blob, file.location()));
    SaturationMaps maps;
    for (const auto& layer : view.layers()) maps.layers.emplace(layer.layer(), layer.bitmask());
    const auto text = [&](std::string_view key) {
        const auto* found = file.metadata().string(key);
        return found ? *found : std::string();
    };
    maps.model_name = text(mask_model_key);
    maps.method = text(mask_method_key);
    maps.date = text(mask_date_key);
    return maps;
}

Result<SaturationMaps> read_from_knot(const std::filesystem::path& path) {
    PERMAFROST_TRY(const auto json, formats::read_saturation_maps(path));
    if (json.empty())
        return Error{path.string() +
                     ": it carries no masks; `mask PROFILE --output-dir DIR` writes a .rknot that does"};
    return parse_saturation_maps(json, path.string());
}

} // namespace

Result<SaturationMaps> read_saturation_maps(const std::filesystem::path& path) {
    PERMAFROST_TRY(const auto file, formats::open_model_file(path.string()));
    const auto* blob = file->metadata().find(mask_blob_key);
    const auto* array = blob ? std::get_if<formats::ValueArray>(&blob->data) : nullptr;
    if (blob && !array)
        return Error{path.string() + ": its key " + std::string(mask_blob_key) + " is no array"};
    if (!blob && file->format() == formats::FileFormat::Gguf)
        return Error{path.string() +
                     ": it carries no masks; `encode MODEL --masks FILE -o OUT.gguf` puts them in"};
    PERMAFROST_TRY(auto maps, blob ? read_from_metadata(*file, *array) : read_from_knot(path));
    if (const auto* sketch = file->metadata().string(corpus_sketch_key))
        maps.corpus_sketch = text::parse_overlap_sketch(*sketch);
    return maps;
}

} // namespace permafrost::masks
