// SPDX-License-Identifier: GPL-3.0-or-later
//
// A .frost file is a safetensors container: u64 header length, JSON header, data. Its __metadata__ (strings) holds
// "format" = "permafrost.profile", "schema" = "1" and the fields of ProfileInfo. Tensors of layer N, all one row a neuron
// or as noted, names "layer.N.<field of LayerStatistics>": sums are I64 [neurons, 2] = (low 64 bits, high 64 bits) of the
// 128-bit fixed-point sum with 60 fractional bits; counts are U32 or U64 (as I64); extremes and norms are F32.
// Equal profiles have equal bytes.
#pragma once

#include "core/base/result.h"
#include "core/profile/profile.h"

#include <filesystem>
#include <string>

namespace permafrost::profile {

/// Writes atomically; returns the SHA-256 of the file's bytes.
Result<std::string> write_profile(const Profile& profile, const std::filesystem::path& target);

/// Errors name the file and what is wrong: not a profile, truncated, of a newer schema, inconsistent sizes.
Result<ProfilePtr> read_profile(const std::filesystem::path& path);

/// The bytes that write_profile() writes, and a profile from such bytes, which `name` stands for in errors: for profiles that
/// travel between machines. Reading gives the bytes' memory back while it goes on.
Result<std::string> profile_bytes(const Profile& profile);
Result<ProfilePtr> read_profile_bytes(std::string bytes, const std::string& name);

/// Adds up shards of one run, some of which may be missing; see Merger. Errors: different model, corpus or settings; a shard
/// twice (named).
Result<ProfilePtr> merge_profiles(const std::vector<ProfilePtr>& parts);

} // namespace permafrost::profile
