// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json_value.h"
#include "core/formats/knot.h"
#include "core/formats/knot_layout.h"
#include "core/formats/tensor_table.h"

#include <algorithm>

namespace permafrost::formats {
namespace {

using nlohmann::json;

constexpr std::size_t max_header_nesting = 32;

struct KnotHeader {
    json header;
    ByteSpan region;
};

Result<KnotHeader> read_header(ByteSpan bytes, const std::string& location) {
    const auto refused = [&](const std::string& why) { return Error{location + ": " + why}; };
    ByteReader reader(bytes);
    const auto magic = reader.read_bytes(knot_magic.size());
    if (!magic || text_of(*magic) != knot_magic)
        return refused("not a .knot file: it does not begin with KNOT");
    const auto major = reader.read<std::uint16_t>();
    const auto minor = reader.read<std::uint16_t>();
    const auto length = reader.read<std::uint64_t>();
    if (!major || !minor || !length) return refused("the file ends inside its header: it is truncated");
    if (*major != knot_major)
        return refused("a .knot of version " + std::to_string(*major) + "." + std::to_string(*minor) +
                       "; this program reads versions 1.x");
    if (*length > reader.remaining())
        return refused("its header claims " + std::to_string(*length) + " bytes, the file has " +
                       std::to_string(reader.remaining()) + " left: it is truncated or damaged");
    if (*length > knot_header_limit)
        return refused("its header of " + std::to_string(*length) + " bytes is larger than the limit of " +
                       std::to_string(knot_header_limit));
    const auto text = text_of(*reader.read_bytes(*length));
    if (!nested_at_most(text, max_header_nesting)) return refused("its header is nested too deeply");
    auto header = json::parse(text, nullptr, false);
    if (!header.is_object()) return refused("its header is not a JSON object: it is damaged");
    const auto begin = std::min<std::uint64_t>(align_up(reader.position(), knot_alignment), bytes.size());
    return KnotHeader{std::move(header), bytes.subspan(static_cast<std::size_t>(begin))};
}

/// The list under `key`; an absent one is empty.
Result<const json*> list_of(const json& header, const char* key, const std::string& location) {
    static const json empty = json::array();
    const auto found = header.find(key);
    if (found == header.end()) return &empty;
    if (!found->is_array())
        return Error{location + ": \"" + key + "\" in its header is not an array: it is damaged"};
    return &*found;
}

Result<Metadata> read_metadata(const json& header, const std::string& location) {
    PERMAFROST_TRY(const json* list, list_of(header, "metadata", location));
    Metadata metadata;
    for (const auto& entry : *list) {
        if (!entry.is_array() || entry.size() != 3 || !entry[1].is_string())
            return Error{location + ": an entry of \"metadata\" in its header is not [key, type, value]"};
        auto key = string_from_json(entry[0]);
        if (!key.ok()) return Error{location + ": a key in its header is not a string"};
        const auto where = location + ": key " + in_quotes(key.value());
        if (metadata.find(key.value())) return Error{where + " appears twice"};
        auto value = value_from_json(entry[1].get_ref<const std::string&>(), entry[2]);
        if (!value.ok()) return Error{where + " " + value.message()};
        metadata.set(std::move(key).value(), std::move(value).value());
    }
    return metadata;
}

std::optional<std::uint64_t> unsigned_member(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_unsigned()) return std::nullopt;
    return found->get<std::uint64_t>();
}

std::optional<std::vector<std::uint64_t>> shape_of(const json& object) {
    const auto found = object.find("shape");
    if (found == object.end() || !found->is_array() || found->size() > max_dimensions) return std::nullopt;
    std::vector<std::uint64_t> shape;
    for (const auto& extent : *found) {
        if (!extent.is_number_unsigned()) return std::nullopt;
        shape.push_back(extent.get<std::uint64_t>());
    }
    return shape;
}

Result<void> add_tensor(TensorTable& table, const json& entry, const std::string& location) {
    const auto damaged = [&](const std::string& why) { return Error{location + ": " + why}; };
    if (!entry.is_object() || !entry.contains("name") || !entry.contains("type"))
        return damaged("a tensor in its header has no name or type");
    auto name = string_from_json(entry["name"]);
    const auto* type_name = entry["type"].get_ptr<const std::string*>();
    if (!name.ok() || !type_name) return damaged("a tensor in its header has no name or type");
    const auto where = "tensor " + in_quotes(name.value());
    const auto type = tensor::element_type_from_name(*type_name);
    if (!type)
        return damaged(where + " is stored as " + in_quotes(*type_name) +
                       ", which is not supported; supported are " + tensor::known_element_types());
    auto shape = shape_of(entry);
    const auto offset = unsigned_member(entry, "offset");
    const auto size = unsigned_member(entry, "size");
    if (!shape || !offset || !size) return damaged(where + " lacks a valid shape, offset or size");
    const auto needed = tensor_size(name.value(), *type, *shape);
    if (!needed.ok()) return damaged(needed.message());
    if (needed.value() != *size)
        return damaged(where + " claims " + std::to_string(*size) + " bytes, its shape needs " +
                       std::to_string(needed.value()));
    return table.add(std::move(name).value(), *type, *std::move(shape), *offset);
}

} // namespace

Result<ModelFilePtr> read_knot(ByteSpan bytes, std::string location, std::shared_ptr<const void> storage) {
    PERMAFROST_TRY(const auto parts, read_header(bytes, location));
    PERMAFROST_TRY(auto metadata, read_metadata(parts.header, location));
    PERMAFROST_TRY(const json* list, list_of(parts.header, "tensors", location));
    TensorTable table(location, parts.region, knot_alignment);
    for (const auto& entry : *list) PERMAFROST_CHECK(add_tensor(table, entry, location));
    PERMAFROST_TRY(auto tensors, table.finish());
    auto identity = header_identity(metadata, tensors);
    return std::make_shared<const ModelFile>(FileFormat::Knot, std::move(location), std::move(metadata),
                                             std::move(tensors), std::move(identity), std::move(storage));
}

Result<std::string> read_saturation_maps(const std::filesystem::path& path) {
    PERMAFROST_TRY(const auto file, MappedFile::open(path));
    PERMAFROST_TRY(const auto parts, read_header(file->bytes(), path.string()));
    const auto found = parts.header.find("saturation_maps");
    return found == parts.header.end() ? std::string() : found->dump();
}

} // namespace permafrost::formats
