// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_files.h"

#include "core/base/atomic_file.h"
#include "core/base/base64.h"
#include "core/base/mapped_file.h"
#include "core/formats/knot.h"
#include "core/formats/model_file.h"
#include "core/formats/safetensors.h"
#include "core/masks/mask_sidecar.h"

#include <optional>

namespace permafrost::masks {
namespace {

namespace fs = std::filesystem;
using Found = std::optional<SaturationMaps>;

// What the keys beside the masks say, whatever the container; `text_at` gives the text of a key, or null.
template <class TextAt>
void read_facts(SaturationMaps& maps, TextAt text_at) {
    const auto text = [&](std::string_view key) {
        const std::string* found = text_at(std::string(key));
        return found ? *found : std::string();
    };
    if (maps.model_name.empty()) maps.model_name = text(mask_model_key);
    if (maps.method.empty()) maps.method = text(mask_method_key);
    if (maps.date.empty()) maps.date = text(mask_date_key);
    maps.cliff_scores = parse_cliff_scores(text(cliff_scores_key));
    if (const auto* sketch = text_at(std::string(corpus_sketch_key)))
        maps.corpus_sketch = text::parse_overlap_sketch(*sketch);
}

Result<Found> read_safetensors(const fs::path& path) {
    PERMAFROST_TRY(const auto file, MappedFile::open(path));
    PERMAFROST_TRY(const auto contents, formats::parse_safetensors(file->bytes(), path.string()));
    const auto text_at = [&](const std::string& key) {
        const auto found = contents.metadata.find(key);
        return found == contents.metadata.end() ? nullptr : &found->second;
    };
    const auto* text = text_at(std::string(mask_blob_key));
    if (!text) return Found{};
    const auto blob = from_base64(*text);
    if (!blob)
        return Error{path.string() +
                     ": its masks are no base64; the file is damaged, encode the masks again"};
    SaturationMaps maps;
    PERMAFROST_TRY(maps.layers, layers_of_blob(bytes_of(*blob), path.string()));
    read_facts(maps, text_at);
    return Found{std::move(maps)};
}

Result<Found> read_folder(const fs::path& folder) {
    for (const auto& path : formats::safetensors_in(folder)) {
        PERMAFROST_TRY(auto found, read_safetensors(path));
        if (found) return found;
    }
    std::vector<fs::path> sidecars;
    std::error_code unreadable;
    for (const auto& entry : fs::directory_iterator(folder, unreadable))
        if (entry.path().filename().string().ends_with(sidecar_ending)) sidecars.push_back(entry.path());
    if (sidecars.size() != 1) return Found{};
    PERMAFROST_TRY(const auto text, read_text_file(sidecars.front()));
    PERMAFROST_TRY(auto maps, parse_sidecar(text, sidecars.front().string()));
    return Found{std::move(maps)};
}

Result<Found> read_model_file(const fs::path& path) {
    PERMAFROST_TRY(const auto file, formats::open_model_file(path.string()));
    SaturationMaps maps;
    if (const auto* value = file->metadata().find(mask_blob_key)) {
        const auto* array = std::get_if<formats::ValueArray>(&value->data);
        const auto* values = array ? std::get_if<std::vector<std::uint64_t>>(&array->values) : nullptr;
        if (!values || array->element != formats::ValueType::U8)
            return Error{path.string() + ": its key " + std::string(mask_blob_key) + " is no array of bytes"};
        std::vector<std::byte> blob;
        blob.reserve(values->size());
        for (const auto byte : *values) blob.push_back(static_cast<std::byte>(byte));
        PERMAFROST_TRY(maps.layers, layers_of_blob(blob, path.string()));
    } else if (file->format() == formats::FileFormat::Knot) {
        PERMAFROST_TRY(const auto json, formats::read_saturation_maps(path));
        if (json.empty()) return Found{};
        PERMAFROST_TRY(maps, parse_saturation_maps(json, path.string()));
    } else {
        return Found{};
    }
    read_facts(maps, [&](const std::string& key) { return file->metadata().string(key); });
    return Found{std::move(maps)};
}

} // namespace

Result<SaturationMaps> read_saturation_maps(const fs::path& path) {
    std::error_code missing;
    const bool folder = fs::is_directory(path, missing);
    if (!folder && path.extension() == ".json") {
        PERMAFROST_TRY(const auto text, read_text_file(path));
        return parse_sidecar(text, path.string());
    }
    PERMAFROST_TRY(auto found, folder                               ? read_folder(path)
                               : path.extension() == ".safetensors" ? read_safetensors(path)
                                                                    : read_model_file(path));
    if (found) return std::move(*found);
    if (const auto beside = sidecar_of(path); !folder && fs::exists(beside, missing)) {
        PERMAFROST_TRY(const auto text, read_text_file(beside));
        return parse_sidecar(text, beside.string());
    }
    return Error{path.string() +
                 ": it carries no masks; `mask PROFILE --output-dir DIR` makes some, and `encode MODEL "
                 "--masks FILE -o OUT` puts them into a model"};
}

} // namespace permafrost::masks
