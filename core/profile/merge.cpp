// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_file.h"

#include <algorithm>
#include <tuple>

namespace permafrost::profile {
namespace {

constexpr std::size_t most_non_finite_places = 16;

std::string part_name(std::size_t index) { return "Part " + std::to_string(index + 1); }

std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// "context 64, not 128": what differs between part `b` and the first part `a`, which ought to be of one run; empty if
/// nothing does. What settings decide comes before what follows from them.
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

Result<void> check_alike(const std::vector<ProfilePtr>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i]) return Error{part_name(i) + " holds no profile."};
        const std::string what = difference(parts[0]->info, parts[i]->info);
        if (!what.empty()) return Error{part_name(i) + " is of " + what + ": merge only shards of one run."};
        if (parts[i]->layers.size() != parts[i]->info.layers ||
            parts[i]->info.tiles_done.size() != parts[i]->info.tiles)
            return Error{part_name(i) + " contradicts itself; make it again."};
    }
    return {};
}

Result<std::vector<bool>> unite_tiles(const std::vector<ProfilePtr>& parts) {
    std::vector<bool> done(parts[0]->info.tiles, false);
    std::vector<std::size_t> owner(done.size(), 0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t tile = 0; tile < done.size(); ++tile) {
            if (!parts[i]->info.tiles_done[tile]) continue;
            if (done[tile])
                return Error{part_name(i) + " holds tile " + std::to_string(tile) + ", which part " +
                             std::to_string(owner[tile] + 1) + " holds too: was the same shard given twice?"};
            done[tile] = true;
            owner[tile] = i;
        }
    }
    return done;
}

std::vector<NonFinite> unite_non_finite(const std::vector<ProfilePtr>& parts) {
    std::vector<NonFinite> places;
    for (const auto& part : parts)
        places.insert(places.end(), part->info.non_finite.begin(), part->info.non_finite.end());
    std::sort(places.begin(), places.end(), [](const NonFinite& a, const NonFinite& b) {
        return std::tie(a.sequence, a.layer, a.neuron) < std::tie(b.sequence, b.layer, b.neuron);
    });
    places.resize(std::min(places.size(), most_non_finite_places));
    return places;
}

bool has_tiles(const Profile& part) {
    return std::any_of(part.info.tiles_done.begin(), part.info.tiles_done.end(),
                       [](bool done) { return done; });
}

Result<LayerProfilePtr> merge_layer(const std::vector<ProfilePtr>& parts, std::size_t layer) {
    LayerStatistics total;
    bool begun = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!has_tiles(*parts[i])) continue;
        const auto& statistics = parts[i]->layers[layer];
        if (!statistics)
            return Error{part_name(i) + " has no statistics of layer " + std::to_string(layer) +
                         ": finish that run first."};
        if (!begun)
            total = statistics->statistics();
        else if (auto merged = total.merge(statistics->statistics()); !merged.ok())
            return Error{part_name(i) + ", layer " + std::to_string(layer) + ": " + merged.message()};
        begun = true;
    }
    if (!begun) return LayerProfilePtr();
    return LayerProfilePtr(std::make_shared<const LayerProfile>(std::move(total)));
}

} // namespace

Result<ProfilePtr> merge_profiles(const std::vector<ProfilePtr>& parts) {
    if (parts.empty()) return Error{"There is nothing to merge: name at least one profile."};
    PERMAFROST_CHECK(check_alike(parts));
    auto merged = std::make_shared<Profile>();
    merged->info = parts[0]->info;
    PERMAFROST_TRY(merged->info.tiles_done, unite_tiles(parts));
    merged->info.non_finite = unite_non_finite(parts);
    if (parts.size() > 1) merged->info.stability.reset(); // tells of another run
    for (std::size_t layer = 0; layer < merged->info.layers; ++layer) {
        PERMAFROST_TRY(auto statistics, merge_layer(parts, layer));
        merged->layers.push_back(std::move(statistics));
    }
    return ProfilePtr(std::move(merged));
}

} // namespace permafrost::profile
