// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/profile/run.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <string>

namespace permafrost::cli {

/// When a run ends before its text: `--until-stable`, `--stable-rule`, `--stable-guard`, `--stable-jaccard`, `--stable-share`, `--stable-waves`.
struct StableOptions {
    bool on = false;
    bool guard = false; ///< whether what the guard takes back counts too
    std::string rule = "variance+gradient";
    profile::StabilityGoal goal;

    /// Wrong usage: together with a `shard` of several (I/N).
    void add_to(CLI::App& command, const std::string& shard);
    /// Empty when the run shall take the whole text.
    Result<std::optional<profile::UntilStable>> read() const;
};

/// {"stable", "rule", "tokens", "tokens_at_hand", "wanted": {…}, "curve": [{"tokens", "jaccard", "share_a", "share_b",
/// "layer_difference"}]}
nlohmann::ordered_json stability_json(const profile::Stability& stability);

} // namespace permafrost::cli
