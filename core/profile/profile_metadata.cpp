// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_metadata.h"

#include "core/base/number_text.h"
#include "core/profile/stability_text.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <numeric>
#include <optional>

namespace permafrost::profile {
namespace {

using nlohmann::json;

std::string text_of(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

std::string tile_ranges(const std::vector<bool>& done) {
    json ranges = json::array();
    for (std::size_t tile = 0; tile < done.size(); ++tile) {
        if (!done[tile]) continue;
        const std::size_t first = tile;
        while (tile + 1 < done.size() && done[tile + 1]) ++tile;
        ranges.push_back(json::array({first, tile}));
    }
    return text_of(ranges);
}

std::string non_finite_text(const std::vector<NonFinite>& places) {
    json list = json::array();
    for (const auto& place : places)
        list.push_back({{"layer", place.layer}, {"neuron", place.neuron}, {"sequence", place.sequence}});
    return text_of(list);
}

/// Reads values by key and remembers the first thing that is wrong, so that the fields can be listed plainly.
class FieldReader {
  public:
    explicit FieldReader(const StringMap& strings) : strings_(strings) {}

    const std::string& problem() const { return problem_; }
    void reject(const std::string& key) {
        if (problem_.empty()) problem_ = "its metadata \"" + key + "\" is missing or makes no sense";
    }

    void read(const std::string& key, std::string& value) {
        const auto found = strings_.find(key);
        if (found == strings_.end()) return reject(key);
        value = found->second;
    }

    template <class Number>
    requires std::is_arithmetic_v<Number>
    void read(const std::string& key, Number& value) {
        std::string text;
        read(key, text);
        const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
        if (end.ec != std::errc{} || end.ptr != text.data() + text.size()) reject(key);
    }

    json read_json(const std::string& key) {
        std::string text;
        read(key, text);
        return json::parse(text, nullptr, false);
    }

  private:
    const StringMap& strings_;
    std::string problem_;
};

std::optional<std::uint64_t> whole_number(const json& value, std::uint64_t most) {
    if (!value.is_number_unsigned()) return std::nullopt;
    const auto number = value.get<std::uint64_t>();
    return number <= most ? std::optional(number) : std::nullopt;
}

void read_intermediate(FieldReader& reader, ProfileInfo& info) {
    const json list = reader.read_json("intermediate");
    if (!list.is_array() || list.size() != info.layers) return reader.reject("intermediate");
    std::uint64_t total = 0;
    for (const auto& item : list) {
        const auto neurons = whole_number(item, most_neurons);
        if (!neurons || (total += *neurons) > most_neurons) return reader.reject("intermediate");
        info.intermediate.push_back(static_cast<std::uint32_t>(*neurons));
    }
}

void read_domains(FieldReader& reader, ProfileInfo& info) {
    const json domains = reader.read_json("domain_tokens");
    if (!domains.is_object()) return reader.reject("domain_tokens");
    for (const auto& [name, tokens] : domains.items()) {
        const auto count = whole_number(tokens, UINT64_MAX);
        if (!count) return reader.reject("domain_tokens");
        info.domain_tokens[name] = *count;
    }
}

// "2/3"; profiles of the whole work have none.
void read_shard(FieldReader& reader, ProfileInfo& info) {
    std::string text;
    reader.read("shard", text);
    const auto* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, info.shard);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '/') return reader.reject("shard");
    const auto second = std::from_chars(first.ptr + 1, end, info.shards);
    if (second.ec != std::errc{} || second.ptr != end || info.shard < 1 || info.shard > info.shards)
        reader.reject("shard");
}

void read_tiles(FieldReader& reader, ProfileInfo& info) {
    const json ranges = reader.read_json("tiles_done");
    if (!ranges.is_array() || info.tiles > most_tiles) return reader.reject("tiles_done");
    info.tiles_done.assign(info.tiles, false);
    std::uint64_t free_from = 0; // ranges ascend and do not overlap
    for (const auto& range : ranges) {
        if (!range.is_array() || range.size() != 2) return reader.reject("tiles_done");
        const auto first = whole_number(range[0], most_tiles);
        const auto last = whole_number(range[1], most_tiles);
        if (!first || !last || *first < free_from || *last < *first || *last >= info.tiles)
            return reader.reject("tiles_done");
        for (auto tile = *first; tile <= *last; ++tile) info.tiles_done[tile] = true;
        free_from = *last + 1;
    }
}

void read_non_finite(FieldReader& reader, ProfileInfo& info) {
    const json list = reader.read_json("non_finite");
    if (!list.is_array()) return reader.reject("non_finite");
    for (const auto& item : list) {
        if (!item.is_object()) return reader.reject("non_finite");
        const auto layer = whole_number(item.value("layer", json()), most_layers);
        const auto neuron = whole_number(item.value("neuron", json()), most_neurons);
        const auto sequence = whole_number(item.value("sequence", json()), UINT64_MAX);
        if (!layer || !neuron || !sequence) return reader.reject("non_finite");
        info.non_finite.push_back(
            {static_cast<std::uint32_t>(*layer), static_cast<std::uint32_t>(*neuron), *sequence});
    }
}

} // namespace

StringMap to_strings(const ProfileInfo& info) {
    StringMap strings{
        {"format", std::string(profile_format)},
        {"schema", std::string(profile_schema)},
        {"model_name", info.model_name},
        {"architecture", info.architecture},
        {"model_sha256", info.model_sha256},
        {"corpus_sha256", info.corpus_sha256},
        {"corpus_source", info.corpus_source},
        {"layers", std::to_string(info.layers)},
        {"hidden", std::to_string(info.hidden)},
        {"intermediate", text_of(info.intermediate)},
        {"context", std::to_string(info.context)},
        {"sequences", std::to_string(info.sequences)},
        {"prompts", std::to_string(info.prompts)},
        {"tokens", std::to_string(info.tokens)},
        {"domain_tokens", text_of(json(info.domain_tokens))},
        {"ffn_weight_share", shortest_text(info.ffn_weight_share)},
        {"tiles", std::to_string(info.tiles)},
        {"tiles_done", tile_ranges(info.tiles_done)},
        {"non_finite", non_finite_text(info.non_finite)},
        {"tool_version", info.tool_version},
    };
    if (info.stability) strings["stability"] = stability_text(*info.stability);
    if (!info.corpus_sketch.smallest.empty()) strings["corpus_sketch"] = text::to_string(info.corpus_sketch);
    if (info.shards > 1) strings["shard"] = std::to_string(info.shard) + '/' + std::to_string(info.shards);
    return strings;
}

Result<ProfileInfo> from_strings(const StringMap& strings) {
    FieldReader reader(strings);
    ProfileInfo info;
    reader.read("model_name", info.model_name);
    reader.read("architecture", info.architecture);
    reader.read("model_sha256", info.model_sha256);
    reader.read("corpus_sha256", info.corpus_sha256);
    reader.read("corpus_source", info.corpus_source);
    reader.read("layers", info.layers);
    reader.read("hidden", info.hidden);
    reader.read("context", info.context);
    reader.read("sequences", info.sequences);
    reader.read("prompts", info.prompts);
    reader.read("tokens", info.tokens);
    reader.read("ffn_weight_share", info.ffn_weight_share);
    reader.read("tiles", info.tiles);
    reader.read("tool_version", info.tool_version);
    if (const auto sketch = strings.find("corpus_sketch"); sketch != strings.end()) {
        const auto parsed = text::parse_overlap_sketch(sketch->second);
        if (!parsed) reader.reject("corpus_sketch");
        info.corpus_sketch = parsed.value_or(text::OverlapSketch{});
    }
    if (strings.contains("shard")) read_shard(reader, info);
    if (const auto found = strings.find("stability"); found != strings.end()) {
        info.stability = parse_stability(found->second);
        if (!info.stability) reader.reject("stability");
    }
    if (info.layers > most_layers) reader.reject("layers");
    if (!(info.ffn_weight_share >= 0 && info.ffn_weight_share <= 1)) reader.reject("ffn_weight_share");
    if (reader.problem().empty()) {
        read_intermediate(reader, info);
        read_domains(reader, info);
        read_tiles(reader, info);
        read_non_finite(reader, info);
    }
    if (!reader.problem().empty()) return Error{reader.problem()};
    return info;
}

} // namespace permafrost::profile
