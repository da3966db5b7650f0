// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_file.h"

#include "core/base/mapped_file.h"
#include "core/base/thread_pool.h"
#include "core/profile/layer_tensors.h"
#include "core/profile/profile_metadata.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

namespace permafrost::profile {
namespace {

using nlohmann::json;

constexpr std::uint64_t longest_header = std::uint64_t{32} << 20;

struct StoredTensor {
    std::string type;
    std::vector<std::uint64_t> shape;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};
using TensorTable = std::unordered_map<std::string, StoredTensor>;

struct Container {
    StringMap metadata;
    TensorTable tensors;
    ByteSpan data;
};

Error not_a_profile(const std::string& why) {
    return Error{"it is not a Permafrost profile, or no longer one: " + why +
                 "; make it again with `profile`"};
}
Error damaged(const std::string& why) {
    return Error{"the file is damaged: " + why + "; make it again with `profile`"};
}

Result<StoredTensor> parse_tensor(const std::string& name, const json& entry) {
    const auto is_list_of_numbers = [](const json& list) {
        return list.is_array() && std::all_of(list.begin(), list.end(),
                                              [](const json& item) { return item.is_number_unsigned(); });
    };
    if (!entry.is_object()) return damaged("the entry of tensor " + name + " makes no sense");
    const json type = entry.value("dtype", json());
    const json shape = entry.value("shape", json());
    const json offsets = entry.value("data_offsets", json());
    if (!type.is_string() || !is_list_of_numbers(shape) || !is_list_of_numbers(offsets) ||
        offsets.size() != 2)
        return damaged("the entry of tensor " + name + " makes no sense");
    return StoredTensor{type.get<std::string>(), shape.get<std::vector<std::uint64_t>>(),
                        offsets[0].get<std::uint64_t>(), offsets[1].get<std::uint64_t>()};
}

/// Tensors must fill the data one after another: this also bounds what they need in memory by the file's
/// size.
Result<void> check_tiling(const TensorTable& tensors, std::uint64_t data_bytes) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    ranges.reserve(tensors.size());
    for (const auto& [name, tensor] : tensors) ranges.emplace_back(tensor.begin, tensor.end);
    std::sort(ranges.begin(), ranges.end());
    std::uint64_t position = 0;
    for (const auto& [begin, end] : ranges) {
        if (begin != position || end < begin) return damaged("its tensors overlap or leave gaps");
        position = end;
    }
    if (position > data_bytes)
        return damaged("it is truncated: its tensors need " + std::to_string(position) + " bytes and " +
                       std::to_string(data_bytes) + " are there");
    if (position < data_bytes) return damaged("there are bytes after its last tensor");
    return {};
}

Result<StringMap> parse_metadata(const json& header) {
    const json metadata = header.value("__metadata__", json());
    if (!metadata.is_object()) return not_a_profile("it has no metadata");
    StringMap strings;
    for (const auto& [key, value] : metadata.items())
        if (value.is_string()) strings[key] = value.get<std::string>();
    if (strings["format"] != profile_format) return not_a_profile("its metadata does not say so");
    if (strings["schema"] != profile_schema)
        return Error{"its schema is \"" + strings["schema"] + "\" and this program reads schema " +
                     std::string(profile_schema) +
                     ": use the version of Permafrost that wrote it, or a newer one"};
    return strings;
}

Result<Container> open_container(ByteSpan bytes) {
    ByteReader reader(bytes);
    const auto length = reader.read<std::uint64_t>();
    if (!length) return not_a_profile("it is too short");
    if (*length > longest_header) return not_a_profile("it does not begin with a safetensors header");
    const auto text = reader.read_bytes(*length);
    if (!text) return damaged("it is truncated inside its header");
    const json header = json::parse(text_of(*text), nullptr, false);
    if (!header.is_object()) return not_a_profile("it does not begin with a safetensors header");
    Container container;
    PERMAFROST_TRY(container.metadata, parse_metadata(header));
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__") continue;
        PERMAFROST_TRY(container.tensors[name], parse_tensor(name, entry));
    }
    container.data = bytes.subspan(reader.position());
    PERMAFROST_CHECK(check_tiling(container.tensors, container.data.size()));
    return container;
}

Result<ByteSpan> find_bytes(const Container& container, std::uint32_t layer, const LayerTensor& expected) {
    const std::string name = tensor_name(layer, expected.field);
    const auto found = container.tensors.find(name);
    if (found == container.tensors.end()) return damaged("tensor " + name + " is missing");
    const StoredTensor& stored = found->second;
    if (stored.type != expected.type || stored.shape != expected.shape ||
        stored.end - stored.begin != expected.bytes())
        return damaged("tensor " + name + " has another type or shape than the layer's neurons ask for");
    return container.data.subspan(stored.begin, stored.end - stored.begin);
}

bool counts_fit(const LayerStatistics& s) {
    if (s.tokens > UINT32_MAX || s.transitions > s.tokens) return false;
    std::vector<std::uint32_t> most(s.neurons);
    for (std::size_t i = 0; i < most.size(); ++i) {
        if (s.non_finite[i] > s.tokens || std::isnan(s.minimum[i]) || std::isnan(s.maximum[i])) return false;
        most[i] = static_cast<std::uint32_t>(s.tokens) - s.non_finite[i];
    }
    for (std::size_t edge = magnitude_bins::edge_count; edge-- > 0;) {
        const std::uint32_t* counts = s.below.data() + edge * most.size();
        bool ascending = true;
        for (std::size_t i = 0; i < most.size(); ++i) {
            ascending &= counts[i] <= most[i];
            most[i] = counts[i];
        }
        if (!ascending) return false;
    }
    return true;
}

Result<LayerProfilePtr> read_layer(const Container& container, std::uint32_t layer, std::uint32_t neurons) {
    const auto tensors = layer_tensors(neurons);
    const bool absent = std::none_of(tensors.begin(), tensors.end(), [&](const LayerTensor& tensor) {
        return container.tensors.contains(tensor_name(layer, tensor.field));
    });
    if (absent) return LayerProfilePtr();
    std::array<ByteSpan, layer_tensor_count> stored;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        PERMAFROST_TRY(stored[i], find_bytes(container, layer, tensors[i]));
    }
    LayerStatistics statistics(neurons);
    const auto target = layer_bytes(statistics);
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (!stored[i].empty()) std::memcpy(target[i].data(), stored[i].data(), stored[i].size());
    for (const auto part : stored)
        if (!part.empty()) MappedFile::drop_from_memory(part);
    if (!counts_fit(statistics))
        return damaged("the counts of layer " + std::to_string(layer) + " contradict one another");
    return LayerProfilePtr(std::make_shared<const LayerProfile>(std::move(statistics)));
}

Result<ProfilePtr> read_bytes(ByteSpan bytes) {
    PERMAFROST_TRY(const Container container, open_container(bytes));
    auto profile = std::make_shared<Profile>();
    PERMAFROST_TRY(profile->info, from_strings(container.metadata));
    const auto& widths = profile->info.intermediate;
    std::vector<Result<LayerProfilePtr>> layers(profile->info.layers, LayerProfilePtr());
    ThreadPool pool(0);
    pool.parallel_for(layers.size(), [&](std::size_t layer, std::size_t) {
        layers[layer] = read_layer(container, static_cast<std::uint32_t>(layer), widths[layer]);
    });
    for (auto& layer : layers) {
        PERMAFROST_TRY(auto statistics, std::move(layer));
        profile->layers.push_back(std::move(statistics));
    }
    return ProfilePtr(std::move(profile));
}

} // namespace

Result<ProfilePtr> read_profile(const std::filesystem::path& path) {
    PERMAFROST_TRY(const auto file, MappedFile::open(path));
    auto profile = read_bytes(file->bytes());
    if (!profile.ok()) return Error{"Cannot read " + path.string() + ": " + profile.message() + "."};
    return profile;
}

Result<ProfilePtr> read_profile_bytes(std::string bytes, const std::string& name) {
    auto profile = read_bytes(bytes_of(bytes));
    if (!profile.ok()) return Error{"the profile of " + name + " cannot be read: " + profile.message()};
    return profile;
}

} // namespace permafrost::profile
