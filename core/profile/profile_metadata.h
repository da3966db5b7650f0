// SPDX-License-Identifier: GPL-3.0-or-later
//
// ProfileInfo as the strings of a .frost file's __metadata__: keys are the fields' names, numbers are
// decimal, lists and maps are JSON text; tiles_done is a list of ranges [first, last], so that a long run
// stays short.
#pragma once

#include "core/base/result.h"
#include "core/profile/profile.h"

#include <map>
#include <string>

namespace permafrost::profile {

inline constexpr std::string_view profile_format = "permafrost.profile";
inline constexpr std::string_view profile_schema = "1";

/// Bounds on what a file may claim without having bytes to show for it.
inline constexpr std::uint64_t most_layers = 1u << 14;
inline constexpr std::uint64_t most_neurons = 1u << 28; ///< of all layers together
inline constexpr std::uint64_t most_tiles = 1u << 24;

using StringMap = std::map<std::string, std::string>;

StringMap to_strings(const ProfileInfo& info);

/// Errors: a key that is missing or has no sensible value (named).
Result<ProfileInfo> from_strings(const StringMap& strings);

} // namespace permafrost::profile
