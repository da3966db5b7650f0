// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/output_target.h"
#include "core/profile/merge.h"
#include "core/profile/profile_file.h"

#include <iostream>
#include <memory>

namespace permafrost::cli {
namespace {

struct MergeOptions {
    std::vector<std::string> parts;
    std::string output;
    bool partial = false;
    bool json = false;
};

Result<void> run_merge(const MergeOptions& options) {
    PERMAFROST_CHECK(check_output(options.output, {options.parts.begin(), options.parts.end()}));
    profile::Merger merger;
    for (const auto& part : options.parts) {
        PERMAFROST_TRY(const auto profile, profile::read_profile(part));
        PERMAFROST_CHECK(merger.add(*profile, part));
        if (interruption().stop_requested()) return Cancelled{};
    }
    const auto missing = merger.missing();
    if (!missing.empty() && !options.partial) return Error{missing + " (--partial merges what there is)"};
    const auto missing_shards = merger.missing_shards();
    PERMAFROST_TRY(const auto profile, std::move(merger).finish());
    PERMAFROST_TRY(const auto sha, profile::write_profile(*profile, options.output));
    if (!missing.empty()) std::cerr << "note: " << missing << "\n";
    if (options.json)
        print_json({{"profile", options.output},
                    {"sha256", sha},
                    {"tokens", profile->info.tokens},
                    {"complete", profile->complete()},
                    {"missing_shards", missing_shards}});
    else
        std::cout << "Wrote " << options.output
                  << (profile->complete() ? " (complete)\n" : " (not complete)\n");
    return {};
}

} // namespace

void add_merge_command(Commands& commands) {
    auto options = std::make_shared<MergeOptions>();
    auto* command = add_command(commands, "merge", "join the profiles of shards into one",
                                [options] { return run_merge(*options); });
    command->add_option("PROFILES", options->parts, "profiles of the shards")->required();
    command->add_option("-o,--output", options->output, "the profile to write")->required();
    command->add_flag("--partial", options->partial,
                      "merge what there is when shards are missing; the profile is then not complete");
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
