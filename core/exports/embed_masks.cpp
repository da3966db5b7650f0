// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/embed_masks.h"

#include "core/formats/gguf.h"
#include "core/formats/knot.h"
#include "core/masks/mask_blob.h"
#include "core/model/model_config.h"

namespace permafrost::exports {
namespace {

Result<void> check_masks(const model::ModelConfig& config, const masks::SaturationMaps& maps) {
    for (const auto& [layer, mask] : maps.layers) {
        if (layer >= config.layers)
            return Error{"there is a mask for layer " + std::to_string(layer) + ", the model has " +
                         std::to_string(config.layers) + " layers; the masks were made for another model"};
        if (mask.size() != config.intermediate[layer])
            return Error{"the mask of layer " + std::to_string(layer) + " is for " +
                         std::to_string(mask.size()) + " neurons, the model has " +
                         std::to_string(config.intermediate[layer]) +
                         "; the masks were made for another model"};
    }
    return {};
}

void add_masks(formats::Metadata& metadata, const masks::SaturationMaps& maps) {
    const auto blob = masks::make_mask_blob(maps.layers);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(blob.data());
    metadata.set(std::string(masks::mask_blob_key),
                 formats::make_value(std::vector<std::uint8_t>(bytes, bytes + blob.size())));
    const auto set_text = [&](std::string_view key, const std::string& text) {
        if (!text.empty()) metadata.set(std::string(key), formats::make_value(text));
    };
    set_text(masks::mask_model_key, maps.model_name);
    set_text(masks::mask_method_key, maps.method);
    set_text(masks::mask_date_key, maps.date);
}

} // namespace

Result<void> embed_masks(const formats::ModelFile& model, const masks::SaturationMaps& maps,
                         const std::filesystem::path& target, const formats::WriteControl& control) {
    PERMAFROST_TRY(const auto config, model::read_model_config(model));
    PERMAFROST_CHECK(check_masks(config, maps));
    std::error_code missing;
    if (std::filesystem::equivalent(model.location(), target, missing) && !missing)
        return Error{target.string() + " is the model itself; choose another name"};
    auto metadata = model.metadata();
    for (const auto key : {masks::corpus_sketch_key, masks::mask_blob_key, masks::mask_model_key,
                           masks::mask_method_key, masks::mask_date_key})
        metadata.remove(key);
    if (maps.corpus_sketch)
        metadata.set(std::string(masks::corpus_sketch_key),
                     formats::make_value(text::to_string(*maps.corpus_sketch)));
    const auto ending = target.extension();
    if (ending == ".gguf" && formats::named_as_gguf_part(target))
        return Error{target.string() + " is named like a part of a split model; choose another name"};
    if (ending == ".gguf") {
        add_masks(metadata, maps);
        return formats::write_gguf(target, metadata, model.tensors(), control);
    }
    if (ending == ".rknot")
        return formats::write_knot(target, metadata, model.tensors(), masks::saturation_maps_text(maps),
                                   control);
    return Error{target.string() +
                 ": masks are put into .gguf and .rknot files; choose one of these endings"};
}

} // namespace permafrost::exports
