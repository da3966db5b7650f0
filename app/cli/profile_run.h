// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/profile_options.h"
#include "app/cli/timings.h"
#include "core/formats/model_file.h"
#include "core/profile/run.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace permafrost::cli {

/// How a run is done: `--threads`, `--shard`, `--resume`, `--quiet`.
struct RunOptions {
    std::size_t threads = 0;
    std::string shard = "1/1";
    bool resume = false;
    bool quiet = false;
    std::optional<profile::UntilStable> until_stable;
    CommandTimes* times = nullptr; ///< filled while the run goes on, if set

    void add_to(CLI::App& command);
};

/// "2/4": the shard and how many there are.
Result<std::pair<std::uint32_t, std::uint32_t>> parse_shard(const std::string& text);

/// Before hours of work: whether the profile and its checkpoint can be written and are none of `inputs`.
Result<void> check_profile_output(const std::filesystem::path& output,
                                  const std::vector<std::filesystem::path>& inputs);

/// Tokenises and runs with progress on stderr. With `output` a checkpoint is kept beside it while the run goes on.
Result<profile::RunResult> run_on_corpus(const formats::ModelFilePtr& file, const CorpusOptions& corpus,
                                         const RunOptions& options, const std::filesystem::path& output = {});
void remove_checkpoint(const std::filesystem::path& output);

/// Names the first places with values that are not finite on stderr.
void report_non_finite(const profile::ProfileInfo& info);

} // namespace permafrost::cli
