// SPDX-License-Identifier: GPL-3.0-or-later
//
// A profile that ranks make together: each runs its shard and keeps it in a file of its own, then their exact sums travel up the
// tree of ranks to rank 0, which has the bytes of the single run.
#pragma once

#include "app/cli/ranks.h"
#include "core/profile/run.h"

#include <filesystem>

namespace permafrost::cli {

/// Where a run keeps what is finished: OUT.resume; OUT.2-of-4.resume for the second of four ranks, a shard's profile.
std::filesystem::path checkpoint_of(const std::filesystem::path& output);

/// Errors: beside `output` lies a checkpoint of a run on another number of ranks, which this one could not use.
Result<void> check_resumable(const std::filesystem::path& output);

/// Called by all ranks after their runs, also those that failed. On rank 0 the whole profile, tokens and threads of all ranks, the
/// time of the slowest and the account of the rank with the highest peak. `waiting`: see Ranks::agree().
Result<profile::RunResult> unite(Result<profile::RunResult> mine, const std::filesystem::path& checkpoint,
                                 const Ranks::Waiting& waiting);

} // namespace permafrost::cli
