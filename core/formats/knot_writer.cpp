// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json_value.h"
#include "core/formats/knot.h"
#include "core/formats/knot_layout.h"
#include "core/formats/tensor_table.h"

namespace permafrost::formats {
namespace {

using nlohmann::json;

// One line an entry, so that the head of a file can be read by people too. Built piece by piece: the maps go
// in as they are, and a vocabulary is not held twice.
std::string header_text(const Metadata& metadata, const std::vector<tensor::TensorView>& tensors,
                        const std::string& saturation_maps_json) {
    std::string text = "{\"metadata\":[";
    const char* separator = "\n";
    for (const auto& [key, value] : metadata.entries()) {
        text += separator;
        text += json::array({json_from_string(key), json_type(value), json_from_value(value)}).dump();
        separator = ",\n";
    }
    text += "],\n\"tensors\":[";
    separator = "\n";
    std::uint64_t offset = 0;
    for (const auto& view : tensors) {
        const json entry{{"name", json_from_string(view.name)},
                         {"type", tensor::info(view.type).name},
                         {"shape", view.shape},
                         {"offset", offset},
                         {"size", view.bytes.size()}};
        text += separator + entry.dump();
        separator = ",\n";
        offset = align_up(offset + view.bytes.size(), knot_alignment);
    }
    text += "]";
    if (!saturation_maps_json.empty()) text += ",\n\"saturation_maps\":" + saturation_maps_json;
    return text + "}\n";
}

template <class T>
void put(std::string& text, T value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

} // namespace

Result<void> write_knot(const std::filesystem::path& target, const Metadata& metadata,
                        const std::vector<tensor::TensorView>& tensors,
                        const std::string& saturation_maps_json, const WriteControl& control) {
    const auto parts = outgoing(tensors);
    PERMAFROST_CHECK(check_writable(target, parts));
    if (!saturation_maps_json.empty() && !json::accept(saturation_maps_json))
        return Error{"cannot write " + target.string() + ": the saturation maps are not valid JSON"};
    const auto header = header_text(metadata, tensors, saturation_maps_json);
    if (header.size() > knot_header_limit)
        return Error{"cannot write " + target.string() + ": its header of " + std::to_string(header.size()) +
                     " bytes is larger than the limit of " + std::to_string(knot_header_limit)};
    std::string start(knot_magic);
    put(start, knot_major);
    put(start, knot_minor);
    put(start, std::uint64_t{header.size()});
    start += header;
    if (!tensors.empty()) start.resize(align_up(start.size(), knot_alignment), '\0');
    PERMAFROST_TRY(auto file, AtomicFile::create(target));
    PERMAFROST_CHECK(file.write(start));
    PERMAFROST_CHECK(write_tensors(file, parts, knot_alignment, control));
    return file.commit();
}

} // namespace permafrost::formats
