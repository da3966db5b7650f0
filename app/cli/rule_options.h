// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/masks/freeze_rule.h"
#include "core/verdict/decision.h"
#include "core/verdict/quality_gate.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace permafrost::cli {

/// The freeze rule on the command line: `--var`, `--grad`, `--activation`, `--inactive`, `--rule`, `--layers`, …
struct RuleOptions {
    masks::FreezeRule thresholds;
    std::string rule = "variance+gradient";
    std::string layers;
    std::vector<std::string> layer_rules;
    bool no_guard = false;

    void add_to(CLI::App& command);
    void add_thresholds_to(CLI::App& command); ///< all but `--layers`
    /// Errors: a rule or range that cannot be read, a threshold out of range, layers the model does not have.
    Result<masks::FreezeRule> read(std::uint32_t layer_count) const;
};

/// layers[], avg_speedup, verdict, trend and more.
nlohmann::ordered_json decision_json(const verdict::Decision& decision,
                                     const verdict::QualityGate& gate = {});

} // namespace permafrost::cli
