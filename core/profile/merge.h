// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/profile/profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace permafrost::profile {

/// Adds up shards of one run as they come, in any order. Holds the sum only, so that hundreds of shards need no more
/// memory than two. Of no use after an error.
class Merger {
  public:
    /// `name`: what messages call the part, such as its file. Errors: it is of another model, text or setting than the
    /// first part; it holds work that an earlier part holds too; it contradicts itself.
    Result<void> add(const Profile& part, const std::string& name);

    /// What the parts leave out, such as "shard 2 of 3 is missing", and what to do about it; empty when nothing is missing.
    std::string missing() const;
    /// The numbers of shards that are missing as a whole; empty too when it is not known how many there ought to be.
    std::vector<std::uint32_t> missing_shards() const;

    /// The sum of the parts. When some are missing it is a profile that is not complete. Errors: there were no parts.
    Result<ProfilePtr> finish() &&;

  private:
    Result<void> check_alike(const Profile& part, const std::string& name) const;
    Result<void> take_tiles(const Profile& part, const std::string& name);
    Result<void> add_layers(const Profile& part, const std::string& name);
    Error held_twice(const Profile& part, const std::string& name, std::uint32_t tile) const;
    std::uint32_t shards() const;

    struct Part {
        std::string name;
        std::uint32_t shard, shards;
    };
    ProfileInfo info_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> owner_;                   ///< (tile) index of the part that holds it
    std::vector<std::optional<LayerStatistics>> totals_; ///< (layer)
};

} // namespace permafrost::profile
