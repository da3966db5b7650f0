// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stable_options.h"

#include "app/cli/option_checks.h"
#include "app/cli/profile_run.h"
#include "core/masks/agreement.h"

#include <limits>

namespace permafrost::cli {

void StableOptions::add_to(CLI::App& command, const std::string& shard) {
    auto* until = command.add_flag(
        "--until-stable", on, "stop when the masks of two halves of the text agree, several waves in a row");
    command.add_option("--stable-rule", rule, "the freeze rule whose masks are compared, as `mask --rule`")
        ->check(freeze_rule())
        ->needs(until)
        ->capture_default_str();
    command
        .add_flag("--stable-guard", guard,
                  "compare what the guard leaves of the masks; it goes by the largest values, which grow "
                  "with the text")
        ->needs(until);
    command.add_option("--stable-jaccard", goal.jaccard, "frozen in both / frozen in either half, at least")
        ->check(number_up_to(1))
        ->needs(until)
        ->capture_default_str();
    command
        .add_option("--stable-share", goal.share,
                    "difference of the halves' frozen shares, in any layer, at most")
        ->check(number_up_to(1))
        ->needs(until)
        ->capture_default_str();
    command.add_option("--stable-waves", goal.waves, "so many waves in a row")
        ->check(whole_number(1, std::numeric_limits<std::uint32_t>::max()))
        ->needs(until)
        ->capture_default_str();
    command.parse_complete_callback([this, &shard] {
        const auto parsed = parse_shard(shard);
        if (on && parsed.ok() && parsed->second > 1)
            throw CLI::ValidationError(
                "--until-stable",
                "does not go with --shard: when to stop shows only in the statistics of all "
                "shards together; run the text in one piece, or all of it in shards");
    });
}

Result<std::optional<profile::UntilStable>> StableOptions::read() const {
    if (!on) return std::optional<profile::UntilStable>();
    PERMAFROST_TRY(auto freeze, masks::parse_rule(rule));
    freeze.guard = guard;
    return std::optional(
        profile::UntilStable{masks::halves_compared_by(freeze), goal,
                             masks::rule_name(freeze) + (guard ? " with guard" : " before its guard")});
}

nlohmann::ordered_json stability_json(const profile::Stability& stability) {
    nlohmann::ordered_json curve = nlohmann::ordered_json::array();
    for (const auto& point : stability.curve)
        curve.push_back({{"tokens", point.tokens},
                         {"jaccard", point.jaccard()},
                         {"share_a", stability.share(point.frozen_a)},
                         {"share_b", stability.share(point.frozen_b)},
                         {"layer_difference", point.layer_difference}});
    return {{"stable", stability.reached()},
            {"rule", stability.rule},
            {"tokens", stability.curve.empty() ? 0 : stability.curve.back().tokens},
            {"tokens_at_hand", stability.tokens_at_hand},
            {"wanted",
             {{"jaccard", stability.goal.jaccard},
              {"share", stability.goal.share},
              {"waves", stability.goal.waves}}},
            {"curve", std::move(curve)}};
}

} // namespace permafrost::cli
