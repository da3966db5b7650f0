// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluation_text.h"
#include "app/cli/option_checks.h"
#include "app/cli/rule_options.h"
#include "core/base/atomic_file.h"
#include "core/base/output_target.h"
#include "core/plan/plan_text.h"
#include "core/profile/profile_file.h"
#include "core/text/overlap_sketch.h"

#include <iostream>
#include <memory>

namespace permafrost::cli {
namespace {

struct PlanOptions {
    std::string model, profile;
    EvaluationText text{"heldout", 512, 0, false};
    std::string tasks, dev; ///< files, or builtin
    std::size_t shots = 5;
    RuleOptions deep_rule;
    std::size_t threads = 0, repeats = 11;
    std::string output; ///< JSON file
    bool quiet = false, json = false;
};

Result<void> read_questions(const PlanOptions& options, plan::PlanRequest& request) {
    request.shots = options.shots;
    if (options.tasks.empty()) return {};
    PERMAFROST_TRY(request.tasks, quality::read_tasks(options.tasks));
    if (options.dev.empty()) return {};
    PERMAFROST_TRY(auto dev, quality::read_tasks(options.dev));
    if (dev.by_letter != request.tasks->by_letter)
        return Error{options.dev + " and " + options.tasks + " are of different form (CSV and JSON lines)"};
    if (dev.questions.size() < options.shots)
        return Error{options.dev + " has only " + std::to_string(dev.questions.size()) +
                     " questions: name a longer file, or use fewer --shots"};
    dev.questions.resize(options.shots);
    request.examples = std::move(dev.questions);
    return {};
}

Result<plan::PlanRequest> request_of(const PlanOptions& options) {
    plan::PlanRequest request;
    PERMAFROST_TRY(request.model, formats::open_model_file(options.model));
    PERMAFROST_TRY(request.profile, profile::read_profile(options.profile));
    PERMAFROST_TRY(request.deep_rule, options.deep_rule.read(request.profile->info.layers));
    PERMAFROST_TRY(request.corpus, read_windows(options.text, *request.model));
    const double share = text::shared_share(request.profile->info.corpus_sketch, request.corpus);
    PERMAFROST_CHECK(check_overlap(options.text, options.profile, share));
    request.text_name = name_of(options.text);
    PERMAFROST_CHECK(read_questions(options, request));
    request.evaluation.context = options.text.context;
    request.evaluation.threads = request.threads = options.threads;
    request.repeats = options.repeats;
    return request;
}

Result<void> run_plan(const PlanOptions& options) {
    if (!options.output.empty()) {
        std::vector<std::filesystem::path> inputs;
        for (const auto& path :
             {options.model, options.profile, options.text.text, options.tasks, options.dev})
            if (!path.empty()) inputs.emplace_back(path);
        PERMAFROST_CHECK(check_output(options.output, inputs));
    }
    PERMAFROST_TRY(const auto request, request_of(options));
    std::optional<ProgressLine> line;
    std::string shown;
    plan::PlanObserver observer;
    observer.progress = [&](const char* what, double share) {
        if (shown != what) line.emplace(options.quiet); // time left is that of the step
        shown = what;
        line->show("measuring " + shown, share);
    };
    auto made = plan::make_plan(request, observer, interruption());
    line.reset();
    PERMAFROST_TRY(const auto result, std::move(made));
    const plan::PlanFiles files{options.model, options.profile};
    const auto json = plan::plan_json(result, request, files);
    if (!options.output.empty()) PERMAFROST_CHECK(write_file(options.output, json.dump(2) + "\n"));
    if (options.json)
        print_json(json);
    else
        std::cout << plan::plan_text(result, request, files);
    return {};
}

} // namespace

void add_plan_command(Commands& commands) {
    auto options = std::make_shared<PlanOptions>();
    auto* command = add_command(
        commands, "plan", "which scenario to ship: narrower layers, masks on deep layers, or fusion alone",
        [options] { return run_plan(*options); });
    command->add_option("MODEL", options->model, "model file, or demo")->required();
    command->add_option("--profile", options->profile, "profile (.frost) of the model")->required();
    options->text.add_text_to(*command,
                              "text file that quality is measured on, or heldout for the built-in one");
    command->add_flag("--force", options->text.force, "also on text that the profile was made from");
    command->add_option(
        "--tasks", options->tasks,
        "multiple choice that decides: MMLU's CSV, JSON lines, or builtin; without it next tokens do");
    command->add_option(
        "--dev", options->dev,
        "tasks whose first ones are the examples; without it they are the first of --tasks, which are "
        "then not asked");
    command->add_option("--shots", options->shots, "examples before each question")
        ->check(whole_number(0, 100))
        ->capture_default_str();
    options->deep_rule.add_to(*command);
    command->get_option("--layers")->description("layers of scenario C's masks (default: the last quarter)");
    command->add_option("--threads", options->threads, "threads (default: one a processor)")
        ->check(whole_number(0, 1024));
    command->add_option("--repeats", options->repeats, "measured passes over the layers")
        ->check(whole_number(1, 100'000))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "write the JSON object to this file");
    command->add_flag("--quiet", options->quiet, "no progress");
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
