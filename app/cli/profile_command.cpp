// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/profile_options.h"
#include "app/cli/profile_run.h"
#include "app/cli/ranks.h"
#include "app/cli/stable_options.h"
#include "app/cli/timings.h"
#include "core/base/output_target.h"
#include "core/exports/exports.h"
#include "core/formats/model_file.h"
#include "core/model/model_config.h"
#include "core/profile/profile_file.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

namespace permafrost::cli {
namespace {

struct ProfileOptions {
    std::string model;
    CorpusOptions corpus;
    RunOptions run;
    StableOptions stable;
    std::string output;
    std::string output_folder;
    bool timings = false;
    bool json = false;
};

nlohmann::ordered_json account_json(const profile::MemoryAccount& memory) {
    return {{"before_run", memory.before_run},   {"layer_weights", memory.layer_weights},
            {"wave_states", memory.wave_states}, {"scratch", memory.scratch},
            {"statistics", memory.statistics},   {"total", memory.total()},
            {"file_pages", memory.file_pages},   {"peak_rss", memory.peak_rss}};
}

nlohmann::ordered_json result_json(const profile::RunResult& result, const std::string& path,
                                   const std::string& sha) {
    const auto& info = result.profile->info;
    nlohmann::ordered_json json;
    json["model"] = info.model_name;
    json["tokens"] = result.tokens;
    json["seconds"] = result.seconds;
    json["tokens_per_second"] =
        result.seconds > 0 ? static_cast<double>(result.tokens) / result.seconds : 0.0;
    json["gflops"] = result.seconds > 0 ? result.floating_point_operations / result.seconds / 1e9 : 0.0;
    json["threads"] = result.threads;
    json["ranks"] = Ranks::here().size();
    json["memory"] = account_json(result.memory);
    json["complete"] = info.complete();
    if (info.stability) json["stability"] = stability_json(*info.stability);
    json["non_finite"] = nlohmann::ordered_json::array();
    for (const auto& place : info.non_finite)
        json["non_finite"].push_back(
            {{"layer", place.layer}, {"neuron", place.neuron}, {"sequence", place.sequence}});
    json["profile"] = path;
    json["sha256"] = sha;
    return json;
}

Result<void> run_profile_command(ProfileOptions options) {
    std::optional<MeasuredCommand> measured;
    if (options.timings) options.run.times = &measured.emplace(options.run.threads).times();
    auto* const times = options.run.times;
    PERMAFROST_TRY(options.run.until_stable, options.stable.read());
    auto inputs = input_files(options.model, options.corpus);
    PERMAFROST_CHECK(check_profile_output(options.output, inputs));
    PERMAFROST_TRY(const auto file, timed(times, model::Stage::Opening,
                                          [&] { return formats::open_model_file(options.model); }));
    if (!options.output_folder.empty()) {
        PERMAFROST_TRY(const auto config, model::read_model_config(*file));
        inputs.emplace_back(options.output); // the exports must not replace the profile either
        PERMAFROST_CHECK(check_output_folder(
            options.output_folder, exports::export_paths(config.name, options.output_folder), inputs));
    }
    PERMAFROST_TRY(const auto result, run_on_corpus(file, options.corpus, options.run, options.output));
    auto& ranks = Ranks::here();
    const auto written =
        !ranks.speaks() ? Result<std::string>(std::string()) : timed(times, model::Stage::Writing, [&] {
            return profile::write_profile(*result.profile, options.output);
        });
    PERMAFROST_CHECK(ranks.agree(written.ok() ? Result<void>() : Result<void>(written.failure())));
    remove_checkpoint(options.output);
    if (!ranks.speaks()) return {};

    report_non_finite(result.profile->info);
    const auto decision = verdict::decide(*result.profile, {});
    if (!options.output_folder.empty()) {
        const exports::ExportContext context{exports::modification_date(options.output)};
        PERMAFROST_CHECK(timed(times, model::Stage::Writing, [&] {
            return exports::export_all(*result.profile, decision, context, options.output_folder);
        }));
    }
    if (measured) measured->finish(result);
    if (options.json) {
        auto json = result_json(result, options.output, written.value());
        if (measured) json["timings"] = measured->json();
        print_json(json);
    } else {
        std::cout << exports::report_table(*result.profile, decision) << "\nProfile: " << options.output
                  << "\n";
        if (!options.output_folder.empty()) std::cout << "Exports: " << options.output_folder << "\n";
        if (measured) std::cout << "\n" << measured->table();
    }
    return {};
}

} // namespace

void add_profile_command(Commands& commands) {
    auto options = std::make_shared<ProfileOptions>();
    auto* command = add_command(
        commands, "profile", "run a model over text and write its profile",
        [options] { return run_profile_command(*options); }, Sharing::Together);
    command->add_option("MODEL", options->model, "model file, or demo")->required();
    options->corpus.add_to(*command);
    options->run.add_to(*command);
    options->stable.add_to(*command, options->run.shard);
    command->add_option("-o,--output", options->output, "the profile to write (.frost)")->required();
    command->add_option("--output-dir", options->output_folder,
                        "also write what `mask` writes into this folder");
    command->add_flag("--timings", options->timings, "also print what the threads spent their time with");
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
