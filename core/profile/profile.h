// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/layer_profile.h"
#include "core/profile/stability.h"
#include "core/text/overlap_sketch.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace permafrost::profile {

/// Where a non-finite activation was met first.
struct NonFinite {
    std::uint32_t layer = 0;
    std::uint32_t neuron = 0;
    std::uint64_t sequence = 0;
};

/// What a profile is of and how it was made. Nothing in here depends on when or where it ran, so equal runs give equal
/// bytes.
struct ProfileInfo {
    std::string model_name;
    std::string architecture;
    std::string model_sha256;          ///< formats::ModelFile::header_sha256()
    std::string corpus_sha256;         ///< text::Corpus::sha256, of the whole corpus, shards included
    std::string corpus_source;         ///< "built-in prompts", or a file's name without its folder
    text::OverlapSketch corpus_sketch; ///< of the whole corpus; empty in profiles of before 0.2
    std::uint32_t layers = 0;
    std::uint32_t hidden = 0;
    std::vector<std::uint32_t> intermediate; ///< (layer)
    std::uint32_t context = 0;               ///< tokens a sequence at most
    std::uint64_t sequences = 0;             ///< in the whole corpus
    std::uint64_t prompts = 0;               ///< prompts or windows asked for: the manifest's sampling_size
    std::uint64_t tokens = 0;                ///< in the whole corpus
    std::map<std::string, std::uint64_t> domain_tokens;
    double ffn_weight_share = 0; ///< FFN's share of the weight bytes that one token reads
    std::uint32_t shard = 1,
                  shards = 1;     ///< which share of the work was asked for, from 1; 1/1 in merged profiles
    std::uint32_t tiles = 0;      ///< pieces of work in the whole corpus
    std::vector<bool> tiles_done; ///< (tile) which are in these statistics
    std::vector<NonFinite> non_finite; ///< first places, at most 16, in order of (sequence, layer, neuron)
    std::string tool_version;
    /// Of a run until stable: how far its halves agreed. Everything above is as of a run over the text that it used.
    std::optional<Stability> stability;

    bool complete() const; ///< all tiles done
};

/// Statistics of all layers; a layer that was not reached yet is null. Immutable once handed over.
struct Profile {
    ProfileInfo info;
    std::vector<LayerProfilePtr> layers;

    std::uint64_t neurons() const; ///< over all layers, reached or not
    bool complete() const;         ///< all tiles done in all layers
};

using ProfilePtr = std::shared_ptr<const Profile>;

} // namespace permafrost::profile
