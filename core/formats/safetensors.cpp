// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/safetensors.h"

#include "core/base/atomic_file.h"
#include "core/base/mapped_file.h"
#include "core/formats/strict_json.h"
#include "core/formats/tensor_table.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace permafrost::formats {
namespace {

using nlohmann::json;

constexpr std::uint64_t longest_header = 100'000'000; // the format's own limit

struct KnownType {
    std::string_view name;
    std::uint64_t bits;
};
// Types that are not here may be of any size.
constexpr std::array known_types{KnownType{"F64", 64},  KnownType{"F32", 32},    KnownType{"F16", 16},
                                 KnownType{"BF16", 16}, KnownType{"I64", 64},    KnownType{"I32", 32},
                                 KnownType{"I16", 16},  KnownType{"I8", 8},      KnownType{"U64", 64},
                                 KnownType{"U32", 32},  KnownType{"U16", 16},    KnownType{"U8", 8},
                                 KnownType{"BOOL", 8},  KnownType{"F8_E4M3", 8}, KnownType{"F8_E5M2", 8}};

bool is_list_of_sizes(const json& list) {
    return list.is_array() &&
           std::all_of(list.begin(), list.end(), [](const json& item) { return item.is_number_unsigned(); });
}

// Whether so many bytes are what the shape needs.
bool size_fits(const SafetensorsEntry& entry) {
    const auto known = std::find_if(known_types.begin(), known_types.end(),
                                    [&](const KnownType& type) { return type.name == entry.type; });
    if (known == known_types.end()) return true;
    std::uint64_t elements = 1;
    for (const auto extent : entry.shape) {
        if (extent != 0 && elements > (std::uint64_t{1} << 56) / extent) return false;
        elements *= extent;
    }
    return elements * known->bits / 8 == entry.bytes.size();
}

Result<SafetensorsEntry> parse_entry(const std::string& name, const json& fields, ByteSpan data,
                                     const std::string& location) {
    const auto refused = [&](const std::string& why) {
        return Error{location + ": tensor " + in_quotes(name) + " " + why +
                     "; the file is damaged, download it again"};
    };
    if (!fields.is_object()) return refused("is not described by an object");
    const json type = fields.value("dtype", json()), shape = fields.value("shape", json()),
               offsets = fields.value("data_offsets", json());
    if (!type.is_string()) return refused("has no dtype");
    if (!is_list_of_sizes(shape)) return refused("has no shape");
    if (!is_list_of_sizes(offsets) || offsets.size() != 2) return refused("has no data_offsets");
    const auto begin = offsets[0].get<std::uint64_t>(), end = offsets[1].get<std::uint64_t>();
    if (begin > end || end > data.size())
        return refused("lies outside the file: bytes " + std::to_string(begin) + " to " +
                       std::to_string(end) + " of " + std::to_string(data.size()));
    SafetensorsEntry entry{name, type.get<std::string>(), shape.get<std::vector<std::uint64_t>>(),
                           data.subspan(begin, end - begin)};
    if (!size_fits(entry))
        return refused("has " + std::to_string(end - begin) + " bytes, which do not fit its shape and dtype");
    return entry;
}

// Neither gaps nor overlaps: each byte belongs to one tensor.
Result<void> check_tiling(const std::vector<SafetensorsEntry>& tensors, ByteSpan data,
                          const std::string& location) {
    std::vector<ByteSpan> parts;
    for (const auto& entry : tensors) parts.push_back(entry.bytes);
    std::sort(parts.begin(), parts.end(), [](ByteSpan a, ByteSpan b) {
        return std::pair(a.data(), a.size()) < std::pair(b.data(), b.size());
    });
    const auto* position = data.data();
    for (const auto part : parts) {
        if (part.data() != position)
            return Error{location + ": its tensors overlap or leave gaps; it is damaged, download it again"};
        position += part.size();
    }
    if (position == data.data() + data.size()) return {};
    return Error{location + ": there are bytes after its last tensor; it is damaged, download it again"};
}

} // namespace

std::optional<tensor::ElementType> element_type_of(std::string_view safetensors_type) {
    if (safetensors_type == "F32") return tensor::ElementType::F32;
    if (safetensors_type == "F16") return tensor::ElementType::F16;
    if (safetensors_type == "BF16") return tensor::ElementType::BF16;
    return std::nullopt;
}

Result<SafetensorsContents> parse_safetensors(ByteSpan bytes, const std::string& location) {
    ByteReader reader(bytes);
    const auto length = reader.read<std::uint64_t>();
    if (!length || *length < 2 || *length > longest_header)
        return Error{location + ": it does not begin with a safetensors header"};
    const auto text = reader.read_bytes(*length);
    if (!text) return Error{location + ": it is truncated inside its header; download it again"};
    PERMAFROST_TRY(const auto header, parse_strictly(text_of(*text), location));
    if (!header.is_object()) return Error{location + ": it does not begin with a safetensors header"};
    const auto data = bytes.subspan(reader.position());
    SafetensorsContents contents;
    for (const auto& [name, fields] : header.items()) {
        if (name == "__metadata__") {
            for (const auto& [key, value] : fields.items())
                if (value.is_string()) contents.metadata[key] = value.get<std::string>();
            continue;
        }
        PERMAFROST_TRY(auto entry, parse_entry(name, fields, data, location));
        contents.tensors.push_back(std::move(entry));
    }
    PERMAFROST_CHECK(check_tiling(contents.tensors, data, location));
    return contents;
}

namespace {

// The data begins at a multiple of 8, which spaces after the object see to.
std::string header_text(const nlohmann::ordered_json& object) {
    auto text = object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    text.resize(align_up(text.size(), 8), ' ');
    return text;
}

Result<AtomicFile> begin_file(const std::filesystem::path& target, const std::string& header) {
    if (header.size() > longest_header)
        return Error{"cannot write " + target.string() +
                     ": its header would be larger than the format allows"};
    const std::array<std::uint64_t, 1> length{header.size()};
    PERMAFROST_TRY(auto file, AtomicFile::create(target));
    PERMAFROST_CHECK(file.write(bytes_of(std::span(length.data(), length.size()))));
    PERMAFROST_CHECK(file.write(header));
    return file;
}

// Entries in the order of the file.
std::string header_with(ByteSpan header, const std::map<std::string, std::string>& changes) {
    auto object = nlohmann::ordered_json::parse(text_of(header));
    auto metadata =
        object.contains("__metadata__") ? object["__metadata__"] : nlohmann::ordered_json::object();
    for (const auto& [key, text] : changes)
        if (text.empty())
            metadata.erase(key);
        else
            metadata[key] = text;
    nlohmann::ordered_json result{{"__metadata__", std::move(metadata)}};
    for (auto& [name, entry] : object.items())
        if (name != "__metadata__") result[name] = std::move(entry);
    return header_text(result);
}

} // namespace

Result<void> write_safetensors(const std::filesystem::path& target,
                               const std::map<std::string, std::string>& metadata,
                               const std::vector<OutgoingTensor>& tensors, const WriteControl& control) {
    PERMAFROST_CHECK(check_writable(target, tensors));
    auto header = nlohmann::ordered_json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::uint64_t offset = 0;
    for (const auto& tensor : tensors) {
        const auto type = tensor::info(tensor.view.type).name;
        if (!element_type_of(type))
            return Error{"cannot write " + target.string() + ": tensor " + in_quotes(tensor.view.name) +
                         " is " + std::string(type) + ", which safetensors does not have"};
        header[tensor.view.name] = {{"dtype", type},
                                    {"shape", tensor.view.shape},
                                    {"data_offsets", {offset, offset + tensor.size()}}};
        offset += tensor.size();
    }
    PERMAFROST_TRY(auto file, begin_file(target, header_text(header)));
    PERMAFROST_CHECK(write_tensors(file, tensors, 1, control));
    return file.commit();
}

std::vector<std::filesystem::path> safetensors_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> found;
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable))
        if (entry.path().extension() == ".safetensors") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

Result<void> change_safetensors_metadata(const std::filesystem::path& source,
                                         const std::map<std::string, std::string>& changes,
                                         const std::filesystem::path& target, const WriteControl& control) {
    PERMAFROST_TRY(const auto file, MappedFile::open(source));
    PERMAFROST_CHECK(parse_safetensors(file->bytes(), source.string()));
    std::error_code missing;
    if (std::filesystem::equivalent(source, target, missing) && !missing)
        return Error{target.string() + " is the model itself; choose another name"};
    ByteReader reader(file->bytes());
    const auto old_header = *reader.read_bytes(*reader.read<std::uint64_t>());
    PERMAFROST_TRY(auto out, begin_file(target, header_with(old_header, changes)));
    const auto data = file->bytes().subspan(reader.position());
    constexpr std::size_t piece = std::size_t{8} << 20;
    for (std::size_t done = 0; done < data.size(); done += piece) {
        if (control.stop.stop_requested()) return Cancelled{};
        PERMAFROST_CHECK(out.write(data.subspan(done, std::min(piece, data.size() - done))));
        if (control.progress) control.progress(std::min(done + piece, data.size()), data.size());
    }
    return out.commit();
}

} // namespace permafrost::formats
