// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/saturation_maps.h"

#include "core/formats/json_fields.h"
#include "core/masks/mask_blob.h"

#include <nlohmann/json.hpp>

#include <charconv>

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
    result.model_name = formats::text_in(maps, "model_name");
    result.method = formats::text_in(maps, "profile_method");
    result.date = formats::text_in(maps, "profile_date");
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

std::string cliff_scores_text(const std::map<std::uint32_t, double>& scores) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [layer, score] : scores) json[std::to_string(layer)] = score;
    return json.dump();
}

std::map<std::uint32_t, double> parse_cliff_scores(const std::string& text) {
    std::map<std::uint32_t, double> scores;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) return scores;
    for (const auto& [key, value] : json.items()) {
        std::uint32_t layer = 0;
        const auto end = std::from_chars(key.data(), key.data() + key.size(), layer);
        if (end.ec != std::errc() || end.ptr != key.data() + key.size() || layer >= most_layers) continue;
        const double score = value.is_number() ? value.get<double>() : -1;
        if (score >= 0 && score <= 1) scores[layer] = score;
    }
    return scores;
}

Result<std::map<std::uint32_t, Bitmask>> layers_of_blob(ByteSpan blob, const std::string& where) {
    PERMAFROST_TRY(const auto view, MaskBlobView::open(blob, where));
    std::map<std::uint32_t, Bitmask> layers;
    for (const auto& layer : view.layers()) layers.emplace(layer.layer(), layer.bitmask());
    return layers;
}

} // namespace permafrost::masks
