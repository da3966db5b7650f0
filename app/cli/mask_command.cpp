// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/option_checks.h"
#include "app/cli/rule_options.h"
#include "core/base/output_target.h"
#include "core/exports/exports.h"
#include "core/masks/least_harm.h"
#include "core/masks/mask_identity.h"
#include "core/profile/profile_file.h"
#include "core/quality/evaluation_file.h"
#include "core/quality/masked_model.h"

#include <iostream>
#include <memory>
#include <optional>

namespace permafrost::cli {
namespace {

struct MaskOptions {
    std::string profile;
    RuleOptions rule;
    std::string folder;
    std::optional<double> target_share;
    std::string quality; ///< result of eval --output
    verdict::QualityLimits limits;
    bool json = false;
};

Result<verdict::QualityGate> read_gate(const MaskOptions& options, const profile::Profile& profile,
                                       const verdict::Decision& decision) {
    if (options.quality.empty()) return verdict::judge_quality({}, options.limits);
    PERMAFROST_TRY(const auto measured,
                   quality::read_measured_quality(options.quality, profile.info.model_sha256,
                                                  masks::mask_identity(quality::masks_of(decision))));
    return verdict::judge_quality(measured, options.limits);
}

Result<void> run_mask(const MaskOptions& options) {
    PERMAFROST_TRY(const auto profile, profile::read_profile(options.profile));
    PERMAFROST_TRY(auto rule, options.rule.read(profile->info.layers));
    if (options.target_share) {
        PERMAFROST_TRY(rule, masks::freeze_at_least_harm(*profile, rule, *options.target_share));
    }
    std::vector<std::filesystem::path> inputs{options.profile};
    if (!options.quality.empty()) inputs.emplace_back(options.quality);
    PERMAFROST_CHECK(check_output_folder(
        options.folder, exports::export_paths(profile->info.model_name, options.folder), inputs));
    const auto decision = verdict::decide(*profile, rule);
    PERMAFROST_TRY(const auto gate, read_gate(options, *profile, decision));
    const exports::ExportContext context{exports::modification_date(options.profile), gate};
    PERMAFROST_TRY(const auto paths, exports::export_all(*profile, decision, context, options.folder));
    if (decision.provisional)
        std::cerr << "note: the profile is not complete, so these masks are provisional\n";
    if (options.json) {
        auto json = decision_json(decision, gate);
        json["files"] = nlohmann::ordered_json::array();
        for (const auto& path : paths) json["files"].push_back(path.string());
        print_json(json);
        return {};
    }
    std::cout << exports::report_table(*profile, decision, gate) << "\n";
    for (const auto& path : paths) std::cout << "Wrote " << path.string() << "\n";
    return {};
}

} // namespace

void add_mask_command(Commands& commands) {
    auto options = std::make_shared<MaskOptions>();
    auto* command =
        add_command(commands, "mask", "apply a freeze rule to a profile and write masks, manifest and report",
                    [options] { return run_mask(*options); });
    command->add_option("PROFILE", options->profile, "profile (.frost)")->required();
    options->rule.add_to(*command);
    command
        ->add_option("--target-share", options->target_share,
                     "freeze this share of all neurons, those predicted to harm the output least, instead of "
                     "--rule")
        ->check(number_up_to(1))
        ->excludes(command->get_option("--rule"));
    command->add_option("--output-dir", options->folder, "folder for the files")->required();
    command->add_option(
        "--quality", options->quality,
        "result of eval --output: what was measured of this very mask goes into verdict and manifest");
    command
        ->add_option("--least-accuracy", options->limits.least_accuracy_retained,
                     "the quality gate: share of the dense model's next-token accuracy that must be retained")
        ->check(number_up_to(1))
        ->capture_default_str();
    command
        ->add_option("--largest-kl", options->limits.largest_kl,
                     "the quality gate: largest mean KL divergence (nats)")
        ->check(number_up_to(1e9))
        ->capture_default_str();
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
