// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/embed_masks.h"

#include "core/base/atomic_file.h"
#include "core/base/base64.h"
#include "core/formats/gguf.h"
#include "core/formats/knot.h"
#include "core/formats/safetensors.h"
#include "core/masks/mask_blob.h"
#include "core/masks/mask_files.h"
#include "core/masks/mask_sidecar.h"
#include "core/model/model_config.h"

#include <array>

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

constexpr std::array own_keys{masks::corpus_sketch_key, masks::mask_blob_key, masks::mask_model_key,
                              masks::mask_method_key,   masks::mask_date_key, masks::cliff_scores_key};

// The texts beside the masks, by key; an empty one is not there.
std::map<std::string, std::string> facts_of(const masks::SaturationMaps& maps) {
    std::map<std::string, std::string> texts;
    texts[std::string(masks::mask_model_key)] = maps.model_name;
    texts[std::string(masks::mask_method_key)] = maps.method;
    texts[std::string(masks::mask_date_key)] = maps.date;
    texts[std::string(masks::cliff_scores_key)] =
        maps.cliff_scores.empty() ? "" : masks::cliff_scores_text(maps.cliff_scores);
    texts[std::string(masks::corpus_sketch_key)] =
        maps.corpus_sketch ? text::to_string(*maps.corpus_sketch) : "";
    return texts;
}

formats::Metadata without_masks(formats::Metadata metadata) {
    for (const auto key : own_keys) metadata.remove(key);
    return metadata;
}

Result<void> write_gguf(const formats::ModelFile& model, const masks::SaturationMaps& maps,
                        const std::filesystem::path& target, const formats::WriteControl& control) {
    if (formats::named_as_gguf_part(target))
        return Error{target.string() + " is named like a part of a split model; choose another name"};
    auto metadata = without_masks(model.metadata());
    const auto blob = masks::make_mask_blob(maps.layers);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(blob.data());
    metadata.set(std::string(masks::mask_blob_key),
                 formats::make_value(std::vector<std::uint8_t>(bytes, bytes + blob.size())));
    for (const auto& [key, text] : facts_of(maps))
        if (!text.empty()) metadata.set(key, formats::make_value(text));
    return formats::write_gguf(target, metadata, model.tensors(), control);
}

Result<void> write_rknot(const formats::ModelFile& model, const masks::SaturationMaps& maps,
                         const std::filesystem::path& target, const formats::WriteControl& control) {
    auto metadata = without_masks(model.metadata());
    const auto facts = facts_of(maps); // the header's saturation_maps say the others
    for (const auto key : {masks::cliff_scores_key, masks::corpus_sketch_key})
        if (const auto& text = facts.at(std::string(key)); !text.empty())
            metadata.set(std::string(key), formats::make_value(text));
    return formats::write_knot(target, metadata, model.tensors(), masks::saturation_maps_text(maps), control);
}

// The file of the model's weights that gets the masks: the one that was named, or the only one.
Result<std::filesystem::path> weights_of(const formats::ModelFile& model) {
    const std::filesystem::path location = model.location();
    if (model.format() != formats::FileFormat::Safetensors)
        return Error{location.string() + ": masks are put into a .safetensors from a model that is one; "
                                         "choose the ending .gguf or .rknot"};
    if (location.extension() == ".safetensors") return location;
    std::error_code unknown;
    const auto folder = std::filesystem::is_directory(location, unknown) ? location : location.parent_path();
    const auto whole = folder / "model.safetensors";
    if (std::filesystem::exists(whole, unknown)) return whole;
    const auto found = formats::safetensors_in(folder);
    if (found.size() == 1) return found.front();
    return Error{location.string() + ": its weights are in " + std::to_string(found.size()) +
                 " files; name the one to put the masks into, for example " +
                 (found.empty() ? folder : found.front()).string()};
}

Result<void> write_safetensors(const formats::ModelFile& model, const masks::SaturationMaps& maps,
                               const std::filesystem::path& target, const formats::WriteControl& control) {
    PERMAFROST_TRY(const auto weights, weights_of(model));
    std::error_code missing;
    for (const auto& part : formats::safetensors_in(std::filesystem::absolute(weights).parent_path()))
        if (std::filesystem::equivalent(part, target, missing) && !missing)
            return Error{target.string() + " is a file of the model itself; choose another name or folder"};
    auto texts = facts_of(maps);
    texts[std::string(masks::mask_blob_key)] = to_base64(masks::make_mask_blob(maps.layers));
    return formats::change_safetensors_metadata(weights, texts, target, control);
}

Result<void> read_back(const masks::SaturationMaps& maps, const std::filesystem::path& target) {
    PERMAFROST_TRY(const auto written, masks::read_saturation_maps(target));
    if (written.layers != maps.layers)
        return Error{target.string() +
                     ": the masks that were read back differ from those that were written; the disk "
                     "may be failing, do not use the file"};
    return {};
}

} // namespace

Result<void> embed_masks(const formats::ModelFile& model, const masks::SaturationMaps& maps,
                         const std::filesystem::path& target, const formats::WriteControl& control) {
    PERMAFROST_TRY(const auto config, model::read_model_config(model));
    PERMAFROST_CHECK(check_masks(config, maps));
    std::error_code missing;
    if (std::filesystem::equivalent(model.location(), target, missing) && !missing)
        return Error{target.string() + " is the model itself; choose another name"};
    const auto name = target.filename().string();
    Result<void> written =
        Error{target.string() + ": masks are put into .gguf, .safetensors, .rknot and .saturation.json "
                                "files; choose one of these endings"};
    if (name.ends_with(".gguf")) written = write_gguf(model, maps, target, control);
    if (name.ends_with(".rknot")) written = write_rknot(model, maps, target, control);
    if (name.ends_with(".safetensors")) written = write_safetensors(model, maps, target, control);
    if (name.ends_with(masks::sidecar_ending)) written = write_file(target, masks::sidecar_text(maps));
    PERMAFROST_CHECK(written);
    return read_back(maps, target);
}

} // namespace permafrost::exports
