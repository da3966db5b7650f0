// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/option_checks.h"
#include "app/cli/profile_run.h"
#include "core/base/atomic_file.h"
#include "core/base/output_target.h"
#include "core/exports/exports.h"
#include "core/model/model_config.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

namespace permafrost::cli {
namespace {

struct SeedOptions {
    std::string model;
    CorpusOptions corpus;
    RunOptions run;
    std::string output; ///< a folder, or a CSV file

    void add_to(CLI::App& command) {
        command.add_option("--knot", model, "model file of any supported format, or demo")->required();
        command.add_option("--num-prompts", corpus.num_prompts, "how many of the built-in prompts")
            ->required()
            ->check(whole_number(1));
        command.add_option("--context", corpus.context, "tokens a prompt at most")
            ->check(whole_number(2, 65535))
            ->capture_default_str();
        command.add_option("--threads", run.threads, "threads (default: one a processor)")
            ->check(whole_number(0, 1024));
        command.add_flag("--quiet", run.quiet, "no progress");
    }
};

struct Profiled {
    profile::ProfilePtr profile;
    verdict::Decision decision;
};

Result<Profiled> profile_prompts(const SeedOptions& options, const formats::ModelFilePtr& file) {
    PERMAFROST_TRY(const auto result, run_on_corpus(file, options.corpus, options.run));
    report_non_finite(result.profile->info);
    auto decision = verdict::decide(*result.profile, {});
    return Profiled{result.profile, std::move(decision)};
}

Result<void> run_bitmasks(const SeedOptions& options) {
    PERMAFROST_TRY(const auto file, formats::open_model_file(options.model));
    PERMAFROST_TRY(const auto config, model::read_model_config(*file));
    PERMAFROST_CHECK(check_output_folder(options.output, exports::export_paths(config.name, options.output),
                                         input_files(options.model, options.corpus)));
    PERMAFROST_TRY(const auto profiled, profile_prompts(options, file));
    const exports::ExportContext context{exports::present_date()};
    PERMAFROST_TRY(const auto paths,
                   exports::export_all(*profiled.profile, profiled.decision, context, options.output));
    std::cout << exports::report_table(*profiled.profile, profiled.decision) << "\n";
    for (const auto& path : paths) std::cout << "Wrote " << path.string() << "\n";
    return {};
}

Result<void> run_report(const SeedOptions& options) {
    PERMAFROST_CHECK(check_output(options.output, input_files(options.model, options.corpus)));
    PERMAFROST_TRY(const auto file, formats::open_model_file(options.model));
    PERMAFROST_TRY(const auto profiled, profile_prompts(options, file));
    PERMAFROST_CHECK(write_file(options.output, exports::report_csv(*profiled.profile, profiled.decision)));
    std::cout << exports::report_table(*profiled.profile, profiled.decision) << "\nWrote " << options.output
              << "\n";
    return {};
}

} // namespace

void add_seed_commands(Commands& commands) {
    auto bitmasks = std::make_shared<SeedOptions>();
    auto* command =
        add_command(commands, "profile-saturation-bitmasks", "profile, then write masks and manifest",
                    [bitmasks] { return run_bitmasks(*bitmasks); });
    bitmasks->add_to(*command);
    command->add_option("--output-dir", bitmasks->output, "folder for the files")->required();

    auto report = std::make_shared<SeedOptions>();
    command = add_command(commands, "profile-phi3-saturation", "profile, then write the CSV report",
                          [report] { return run_report(*report); });
    report->add_to(*command);
    command->add_option("--output", report->output, "CSV file")->required();
}

} // namespace permafrost::cli
