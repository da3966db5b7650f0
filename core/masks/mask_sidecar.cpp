// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_sidecar.h"

#include "core/base/base64.h"
#include "core/formats/json_fields.h"
#include "core/formats/strict_json.h"
#include "core/masks/mask_blob.h"

namespace permafrost::masks {
namespace {

using formats::text_in;

constexpr const char* format_name = "permafrost-saturation";
constexpr std::uint64_t version = 1;

} // namespace

std::string sidecar_text(const SaturationMaps& maps) {
    using nlohmann::ordered_json;
    ordered_json layers = ordered_json::array();
    for (const auto& [layer, mask] : maps.layers) {
        const double share =
            mask.size() == 0 ? 0.0 : static_cast<double>(mask.count()) / static_cast<double>(mask.size());
        layers.push_back({{"layer", layer},
                          {"neurons", mask.size()},
                          {"frozen", mask.count()},
                          {"pct_frozen", 100 * share}});
    }
    ordered_json json{{"format", format_name},
                      {"version", version},
                      {"model_name", maps.model_name},
                      {"profile_method", maps.method},
                      {"profile_date", maps.date},
                      {"cliff_scores", ordered_json::parse(cliff_scores_text(maps.cliff_scores))},
                      {"layers", std::move(layers)}};
    if (maps.corpus_sketch) json["corpus_sketch"] = text::to_string(*maps.corpus_sketch);
    json["masks"] = to_base64(make_mask_blob(maps.layers));
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<SaturationMaps> parse_sidecar(const std::string& text, const std::string& where) {
    PERMAFROST_TRY(const auto json, formats::parse_strictly(text, where));
    const auto refused = [&](const std::string& why) { return Error{where + ": " + why}; };
    if (!json.is_object() || text_in(json, "format") != format_name)
        return refused(
            "it is no file of masks; `encode MODEL --masks FILE -o NAME.saturation.json` writes one");
    if (!json.contains("version") || !json["version"].is_number_unsigned() ||
        json["version"].get<std::uint64_t>() > version)
        return refused("it was written by a newer Permafrost; use that one, or a newer one");
    const auto blob = from_base64(text_in(json, "masks"));
    if (!blob) return refused("its masks are no base64; the file is damaged, encode the masks again");
    SaturationMaps maps;
    PERMAFROST_TRY(maps.layers, layers_of_blob(bytes_of(*blob), where));
    maps.model_name = text_in(json, "model_name");
    maps.method = text_in(json, "profile_method");
    maps.date = text_in(json, "profile_date");
    if (json.contains("cliff_scores")) maps.cliff_scores = parse_cliff_scores(json["cliff_scores"].dump());
    if (const auto sketch = text_in(json, "corpus_sketch"); !sketch.empty())
        maps.corpus_sketch = text::parse_overlap_sketch(sketch);
    return maps;
}

std::filesystem::path sidecar_of(const std::filesystem::path& model) {
    auto path = model;
    path.replace_extension();
    path += sidecar_ending;
    return path;
}

} // namespace permafrost::masks
