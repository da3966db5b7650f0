// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/merge.h"

#include "core/profile/profile_file.h"

#include <algorithm>
#include <tuple>

namespace permafrost::profile {
namespace {

constexpr std::size_t most_non_finite_places = 16;

std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// "another context (64, not 128)": what differs between part `b` and the first part `a`, which ought to be of one run; empty
/// if nothing does. What settings decide comes before what follows from them.
std::string difference(const ProfileInfo& a, const ProfileInfo& b) {
    if (a.model_name != b.model_name || a.architecture != b.architecture)
        return "another model (" + b.model_name + ", " + b.architecture + ", not " + a.model_name + ", " +
               a.architecture + ")";
    if (a.model_sha256 != b.model_sha256)
        return "another model of that name (SHA-256 " + b.model_sha256 + ", not " + a.model_sha256 + ")";
    if (a.layers != b.layers || a.hidden != b.hidden || a.intermediate != b.intermediate ||
        a.ffn_weight_share != b.ffn_weight_share)
        return "another model (its layers have other sizes)";
    const auto number = [](const char* what, auto of_a, auto of_b) {
        return "another " + std::string(what) + " (" + std::to_string(of_b) + ", not " +
               std::to_string(of_a) + ")";
    };
    if (a.tool_version != b.tool_version)
        return "another version of Permafrost (" + b.tool_version + ", not " + a.tool_version + ")";
    if (a.context != b.context) return number("context", a.context, b.context);
    if (a.corpus_source != b.corpus_source)
        return "another text (" + quoted(b.corpus_source) + ", not " + quoted(a.corpus_source) + ")";
    if (a.prompts != b.prompts) return number("number of prompts", a.prompts, b.prompts);
    if (a.sequences != b.sequences) return number("text, by its sequences", a.sequences, b.sequences);
    if (a.tokens != b.tokens) return number("text, by its tokens", a.tokens, b.tokens);
    if (a.domain_tokens != b.domain_tokens) return "another text (its domains differ)";
    if (a.corpus_sha256 != b.corpus_sha256)
        return "another text of that name (SHA-256 " + b.corpus_sha256 + ", not " + a.corpus_sha256 + ")";
    if (a.tiles != b.tiles) return number("division of the work", a.tiles, b.tiles);
    return {};
}

bool has_tiles(const ProfileInfo& info) {
    return std::find(info.tiles_done.begin(), info.tiles_done.end(), true) != info.tiles_done.end();
}

std::string shard_text(std::uint32_t shard, std::uint32_t shards) {
    return "shard " + std::to_string(shard) + " of " + std::to_string(shards);
}

/// "2", "2 and 5", "2, 3, 5, 7, 11, 13, 17, 19 and 40 more"
std::string list_text(const std::vector<std::uint32_t>& numbers) {
    constexpr std::size_t most_listed = 8;
    const std::size_t listed = numbers.size() <= most_listed + 1 ? numbers.size() : most_listed;
    std::string text;
    for (std::size_t i = 0; i < listed; ++i) {
        if (i > 0) text += i + 1 == numbers.size() ? " and " : ", ";
        text += std::to_string(numbers[i]);
    }
    if (listed < numbers.size()) text += " and " + std::to_string(numbers.size() - listed) + " more";
    return text;
}

constexpr std::uint32_t nobody = UINT32_MAX;

} // namespace

Result<void> Merger::check_alike(const Profile& part, const std::string& name) const {
    if (part.layers.size() != part.info.layers || part.info.tiles_done.size() != part.info.tiles)
        return Error{name + " contradicts itself: make it again with `profile`"};
    if (parts_.empty()) return {};
    const std::string what = difference(info_, part.info);
    if (what.empty()) return {};
    return Error{name + " is of " + what + " than " + parts_[0].name +
                 ": merge only shards of one run, all made with the same options"};
}

Error Merger::held_twice(const Profile& part, const std::string& name, std::uint32_t tile) const {
    const auto& other = parts_[owner_[tile]];
    const auto& info = part.info;
    if (info.shards > 1 && info.shards == other.shards && info.shard == other.shard)
        return Error{name + " is " + shard_text(info.shard, info.shards) + ", which " + other.name +
                     " is too: leave one of them out"};
    if (info.shards > 1 && other.shards > 1 && info.shards != other.shards)
        return Error{name + " is " + shard_text(info.shard, info.shards) + ", and " + other.name + " is " +
                     shard_text(other.shard, other.shards) +
                     ": they overlap; merge shards of one number of shards"};
    return Error{name + " holds tile " + std::to_string(tile) + ", which " + other.name +
                 " holds too: was the same shard given twice?"};
}

Result<void> Merger::take_tiles(const Profile& part, const std::string& name) {
    for (std::uint32_t tile = 0; tile < part.info.tiles; ++tile) {
        if (!part.info.tiles_done[tile]) continue;
        if (owner_[tile] != nobody) return held_twice(part, name, tile);
        owner_[tile] = static_cast<std::uint32_t>(parts_.size());
        info_.tiles_done[tile] = true;
    }
    return {};
}

Result<void> Merger::add_layers(const Profile& part, const std::string& name) {
    if (!has_tiles(part.info)) return {}; // a shard that had nothing to do
    for (std::size_t layer = 0; layer < totals_.size(); ++layer) {
        const auto& statistics = part.layers[layer];
        if (!statistics)
            return Error{name + " has no statistics of layer " + std::to_string(layer) +
                         ": finish that run first"};
        auto& total = totals_[layer];
        if (!total)
            total = statistics->statistics();
        else if (const auto merged = total->merge(statistics->statistics()); !merged.ok())
            return Error{name + ", layer " + std::to_string(layer) + ": " + merged.message()};
    }
    return {};
}

Result<void> Merger::add(const Profile& part, const std::string& name) {
    PERMAFROST_CHECK(check_alike(part, name));
    if (parts_.empty()) {
        info_ = part.info;
        info_.tiles_done.assign(info_.tiles, false);
        info_.non_finite.clear();
        info_.shard = info_.shards = 1;
        owner_.assign(info_.tiles, nobody);
        totals_.resize(info_.layers);
    } else {
        info_.stability.reset(); // tells of one run
    }
    PERMAFROST_CHECK(take_tiles(part, name));
    PERMAFROST_CHECK(add_layers(part, name));
    auto& places = info_.non_finite;
    places.insert(places.end(), part.info.non_finite.begin(), part.info.non_finite.end());
    parts_.push_back({name, part.info.shard, part.info.shards});
    return {};
}

std::uint32_t Merger::shards() const {
    std::uint32_t count = 1;
    for (const auto& part : parts_) {
        if (part.shards == 1) continue;
        if (count > 1 && part.shards != count) return 1; // shards of different numbers
        count = part.shards;
    }
    return count;
}

std::vector<std::uint32_t> Merger::missing_shards() const {
    const std::uint32_t count = shards();
    std::vector<std::uint32_t> missing;
    if (count == 1) return missing;
    for (std::uint32_t shard = 1; shard <= count && shard <= info_.tiles; ++shard) {
        bool held = false;
        for (std::uint64_t tile = shard - 1; tile < info_.tiles; tile += count)
            held = held || info_.tiles_done[tile];
        for (const auto& part : parts_) held = held || (part.shards == count && part.shard == shard);
        if (!held) missing.push_back(shard);
    }
    return missing;
}

std::string Merger::missing() const {
    const auto tiles = static_cast<std::size_t>(std::count(owner_.begin(), owner_.end(), nobody));
    if (tiles == 0) return {};
    const std::uint32_t count = shards();
    if (const auto shards = missing_shards(); !shards.empty()) {
        const bool one = shards.size() == 1;
        return (one ? "shard " : "shards ") + list_text(shards) + " of " + std::to_string(count) +
               (one ? " is" : " are") + " missing: run the command of the others with --shard " +
               std::to_string(shards[0]) + '/' + std::to_string(count) + (one ? "" : " and so on") +
               ", and name what it writes too";
    }
    for (const auto& part : parts_) {
        if (part.shards != count || count == 1) continue;
        for (std::uint64_t tile = part.shard - 1; tile < info_.tiles; tile += count)
            if (owner_[tile] == nobody)
                return part.name + " is " + shard_text(part.shard, count) +
                       " and not finished: run its command again with --resume";
    }
    return std::to_string(tiles) + " of " + std::to_string(info_.tiles) +
           " pieces of the work are missing: name the profiles of all shards";
}

Result<ProfilePtr> Merger::finish() && {
    if (parts_.empty()) return Error{"there is nothing to merge: name at least one profile"};
    auto& places = info_.non_finite;
    std::sort(places.begin(), places.end(), [](const NonFinite& a, const NonFinite& b) {
        return std::tie(a.sequence, a.layer, a.neuron) < std::tie(b.sequence, b.layer, b.neuron);
    });
    places.resize(std::min(places.size(), most_non_finite_places));
    auto merged = std::make_shared<Profile>(Profile{std::move(info_), {}});
    for (auto& total : totals_)
        merged->layers.push_back(total ? std::make_shared<const LayerProfile>(std::move(*total)) : nullptr);
    return ProfilePtr(std::move(merged));
}

Result<ProfilePtr> merge_profiles(const std::vector<ProfilePtr>& parts) {
    Merger merger;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string name = "Part " + std::to_string(i + 1);
        if (!parts[i]) return Error{name + " holds no profile"};
        PERMAFROST_CHECK(merger.add(*parts[i], name));
    }
    return std::move(merger).finish();
}

} // namespace permafrost::profile
