// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/option_checks.h"
#include "core/base/atomic_file.h"
#include "core/base/embedded_files.h"
#include "core/base/number_text.h"
#include "core/base/output_target.h"
#include "core/masks/mask_identity.h"
#include "core/masks/saturation_maps.h"
#include "core/model/model_config.h"
#include "core/profile/profile_file.h"
#include "core/quality/evaluation_file.h"
#include "core/quality/masked_model.h"
#include "core/quality/paired_evaluation.h"
#include "core/quality/tasks.h"
#include "core/text/corpus_source.h"

#include <cstdio>
#include <iostream>
#include <memory>

namespace permafrost::cli {
namespace {

struct EvalOptions {
    std::string model;
    std::string text;
    std::vector<std::string> masks;
    std::string means; ///< profile
    std::uint32_t context = 512;
    std::uint64_t windows = 0;
    std::size_t threads = 0;
    std::string tasks; ///< file, or builtin
    std::string dev;   ///< examples before each question
    std::size_t shots = 5;
    std::string output; ///< JSON file
    bool force = false;
    bool quiet = false;
    bool json = false;
};

constexpr double most_overlap = 0.01;

/// What is evaluated beside the dense model.
struct Variants {
    std::vector<quality::MaskedModel> models;
    std::vector<std::string> mask_sha256;
    std::vector<std::optional<text::OverlapSketch>> sketches; ///< of the texts the masks were made from
};

Result<text::Corpus> read_windows(const EvalOptions& options, const formats::ModelFile& file) {
    PERMAFROST_TRY(const auto tokenizer, model::read_tokenizer(file));
    std::string content(embedded::heldout_text());
    if (options.text != "heldout") {
        PERMAFROST_TRY(content, text::read_text(options.text));
    }
    auto corpus = text::cut_text(*tokenizer, content, options.context);
    if (!corpus.ok() && !corpus.cancelled()) return Error{options.text + ": " + corpus.message()};
    if (corpus.ok() && options.windows > 0 && corpus->sequences.size() > options.windows)
        corpus->sequences.resize(options.windows);
    return corpus;
}

Result<Variants> read_variants(const EvalOptions& options, const formats::ModelFile& file) {
    PERMAFROST_TRY(const auto config, model::read_model_config(file));
    profile::ProfilePtr means;
    if (!options.means.empty()) {
        PERMAFROST_TRY(means, profile::read_profile(options.means));
    }
    Variants variants;
    for (const auto& path : options.masks) {
        PERMAFROST_TRY(const auto maps, masks::read_saturation_maps(path));
        PERMAFROST_TRY(auto variant,
                       quality::masked_model(path, maps.layers, config.intermediate, means.get()));
        variants.models.push_back(std::move(variant));
        variants.mask_sha256.push_back(masks::mask_identity(maps.layers));
        variants.sketches.push_back(maps.corpus_sketch);
    }
    return variants;
}

// Quality on the text that a mask was made from looks better than it is.
Result<double> check_overlap(const EvalOptions& options, const Variants& variants,
                             const text::Corpus& corpus) {
    double worst = 0;
    for (std::size_t i = 0; i < variants.sketches.size(); ++i) {
        if (!variants.sketches[i]) continue;
        const double share = text::shared_share(*variants.sketches[i], corpus);
        worst = std::max(worst, share);
        if (share <= most_overlap || options.force) continue;
        return Error{
            options.masks[i] + " was made from " + fixed_text(100 * share, 1) +
            " % of this text (13-token sequences in common), so its quality would look better than it is; "
            "evaluate on another text, or add --force, which the result then says"};
    }
    return worst;
}

void print_comparison(const quality::Comparison& comparison) {
    std::printf("\n%s\n", comparison.name.c_str());
    std::printf("  perplexity %.4f, %.5f +/- %.5f times the dense one\n", comparison.masked.perplexity,
                comparison.perplexity_ratio, comparison.perplexity_ratio_error);
    std::printf(
        "  KL divergence: mean %.6f +/- %.6f, median %.6f, 90 %% %.5f, 95 %% %.5f, 99 %% %.5f, 99.9 %% %.5f, "
        "max %.4f\n",
        comparison.kl_mean, comparison.kl_mean_error, comparison.kl_median, comparison.kl_p90,
        comparison.kl_p95, comparison.kl_p99, comparison.kl_p999, comparison.kl_max);
    std::printf("  probability of the right token: mean change %+.3f points, RMS %.3f points\n",
                100 * comparison.probability_change, 100 * comparison.probability_change_rms);
    std::printf(
        "  same first choice as the dense model: %.2f %%; next-token accuracy %.2f %%, %.2f %% of the "
        "dense model's\n",
        100 * comparison.top1_agreement, 100 * comparison.masked.top1_accuracy,
        100 * comparison.accuracy_retained);
}

void print_proportion(const char* name, const quality::Proportion& proportion) {
    std::printf("  %s: %zu of %zu right, %.1f %% (95 %% interval %.1f to %.1f %%)\n", name, proportion.hits,
                proportion.count, 100 * proportion.share, 100 * proportion.low, 100 * proportion.high);
}

void print_tasks(const quality::TaskEvaluation& tasks) {
    std::printf("\nTasks %s%s, %zu examples before each question\n", tasks.name.c_str(),
                tasks.no_benchmark ? " (for trying out, no benchmark)" : "", tasks.shots);
    print_proportion("dense model", tasks.dense);
    for (const auto& masked : tasks.masked) {
        print_proportion(masked.name.c_str(), masked.accuracy);
        std::printf("    only the dense model was right: %zu, only the masked one: %zu; p = %.3g that "
                    "masking changes nothing\n",
                    masked.only_dense, masked.only_masked, masked.p_value);
    }
}

Result<std::optional<quality::TaskEvaluation>>
run_tasks(const EvalOptions& options, const formats::ModelFilePtr& file, const Variants& variants) {
    if (options.tasks.empty()) return std::optional<quality::TaskEvaluation>();
    PERMAFROST_TRY(const auto tasks, quality::read_tasks(options.tasks));
    std::vector<quality::Question> examples;
    if (!options.dev.empty()) {
        PERMAFROST_TRY(const auto dev, quality::read_tasks(options.dev));
        if (dev.by_letter != tasks.by_letter)
            return Error{options.dev + " and " + options.tasks +
                         " are of different form (CSV and JSON lines)"};
        examples.assign(dev.questions.begin(),
                        dev.questions.begin() +
                            static_cast<std::ptrdiff_t>(std::min(options.shots, dev.questions.size())));
    }
    PERMAFROST_TRY(const auto tokenizer, model::read_tokenizer(*file));
    quality::EvaluationSettings settings;
    settings.threads = options.threads;
    PERMAFROST_TRY(auto result, quality::evaluate_tasks(file, *tokenizer, tasks, examples, variants.models,
                                                        settings, {}, interruption()));
    return std::optional(std::move(result));
}

quality::EvaluationSubject subject_of(const EvalOptions& options, const formats::ModelFile& file) {
    const auto text =
        options.text == "heldout" ? "held-out text" : std::filesystem::path(options.text).filename().string();
    return {file.header_sha256(), text, !options.means.empty(), {}, 0};
}

Result<void> run_eval(const EvalOptions& options) {
    if (!options.output.empty()) {
        std::vector<std::filesystem::path> inputs(options.masks.begin(), options.masks.end());
        for (const auto& path : {options.model, options.text, options.means})
            if (!path.empty()) inputs.emplace_back(path);
        PERMAFROST_CHECK(check_output(options.output, inputs));
    }
    PERMAFROST_TRY(const auto file, formats::open_model_file(options.model));
    PERMAFROST_TRY(const auto variants, read_variants(options, *file));
    PERMAFROST_TRY(const auto corpus, read_windows(options, *file));
    PERMAFROST_TRY(const double overlap, check_overlap(options, variants, corpus));
    int shown = -1;
    const auto progress = [&](double share) {
        const int percent = static_cast<int>(100 * share);
        if (!options.quiet && percent >= shown + 10) std::fprintf(stderr, "%3d %%\n", shown = percent);
    };
    PERMAFROST_TRY(const auto evaluation,
                   quality::evaluate_paired(file, corpus, variants.models, {options.context, options.threads},
                                            {progress, {}}, interruption()));
    PERMAFROST_TRY(const auto tasks, run_tasks(options, file, variants));
    const auto& dense = evaluation.dense;
    if (options.json || !options.output.empty()) {
        auto subject = subject_of(options, *file);
        subject.mask_sha256 = variants.mask_sha256;
        subject.overlap = overlap;
        const auto json = quality::evaluation_json(evaluation, subject, tasks ? &*tasks : nullptr);
        if (!options.output.empty()) PERMAFROST_CHECK(write_file(options.output, json.dump(2) + "\n"));
        if (options.json) {
            print_json(json);
            return {};
        }
    }
    std::printf("Dense model: perplexity %.4f +/- %.4f, mean NLL %.5f, next-token accuracy %.2f %% (%llu "
                "scored tokens)\n",
                dense.perplexity, dense.perplexity_error, dense.nll, 100 * dense.top1_accuracy,
                static_cast<unsigned long long>(dense.tokens));
    for (const auto& comparison : evaluation.masked) print_comparison(comparison);
    if (tasks) print_tasks(*tasks);
    if (overlap > most_overlap)
        std::printf("\nWARNING: %.1f %% of this text was in the text that a mask was made from; these "
                    "figures look better "
                    "than they are.\n",
                    100 * overlap);
    return {};
}

} // namespace

void add_eval_command(Commands& commands) {
    auto options = std::make_shared<EvalOptions>();
    auto* command =
        add_command(commands, "eval", "what masks cost in quality: the dense and the masked model on a text",
                    [options] { return run_eval(*options); });
    command->add_option("MODEL", options->model, "model file, or demo")->required();
    command->add_option("--text", options->text, "text file, or heldout for the built-in one")->required();
    command->add_option("--masks", options->masks, "masks (.rknot); several are evaluated in one pass")
        ->allow_extra_args(false);
    command->add_option("--fold-mean", options->means,
                        "profile (.frost): frozen neurons keep their mean there in place of zero");
    command->add_option("--tasks", options->tasks,
                        "multiple choice: MMLU's CSV, JSON lines, or builtin; answered by log-likelihood");
    command->add_option("--dev", options->dev,
                        "tasks of the same form, whose first ones go before each question as examples");
    command->add_option("--shots", options->shots, "examples before each question (with --dev)")
        ->check(whole_number(0, 100))
        ->capture_default_str();
    command->add_option("--context", options->context, "tokens a window; the second half is scored")
        ->check(whole_number(4, 65535))
        ->capture_default_str();
    command->add_option("--windows", options->windows, "only the first N windows (default: all)")
        ->check(whole_number(1));
    command->add_option("--threads", options->threads, "threads (default: one a processor)")
        ->check(whole_number(0, 1024));
    command->add_option("-o,--output", options->output,
                        "write the JSON object to this file (for mask --quality)");
    command->add_flag("--force", options->force,
                      "also evaluate masks on text that they were made from; the result says so");
    command->add_flag("--quiet", options->quiet, "no progress");
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
