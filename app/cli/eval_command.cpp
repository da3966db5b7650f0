// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluation_text.h"
#include "app/cli/option_checks.h"
#include "core/base/atomic_file.h"
#include "core/base/output_target.h"
#include "core/masks/mask_files.h"
#include "core/masks/mask_identity.h"
#include "core/model/model_config.h"
#include "core/profile/profile_file.h"
#include "core/quality/evaluation_file.h"
#include "core/quality/masked_model.h"
#include "core/quality/paired_evaluation.h"
#include "core/quality/tasks.h"
#include "core/verdict/decision.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <memory>

namespace permafrost::cli {
namespace {

struct EvalOptions {
    std::string model;
    EvaluationText text;
    std::vector<std::string> masks;
    std::string means;    ///< profile
    std::string handling; ///< of frozen neurons; empty: mean with a profile, else zero
    std::string guarded;  ///< profile
    std::size_t most_guarded = 16;
    std::vector<std::string> neurons; ///< LAYER:NEURON, each a variant of its own
    std::size_t threads = 0;
    std::string tasks; ///< file, or builtin
    std::string dev;   ///< examples before each question
    std::size_t shots = 5;
    std::string output; ///< JSON file
    bool quiet = false;
    bool json = false;
};

constexpr std::size_t at_once = 8; // variants to a pass

/// What is evaluated beside the dense model.
struct Variants {
    std::vector<quality::MaskedModel> models;
    std::vector<std::string> mask_sha256;
    std::vector<std::optional<text::OverlapSketch>> sketches; ///< of the texts the masks were made from
};

Result<quality::FrozenHandling> handling_of(const EvalOptions& options) {
    if (!options.handling.empty()) return quality::parse_handling(options.handling);
    quality::FrozenHandling handling;
    if (!options.means.empty()) handling.all = quality::Handling::Mean;
    return handling;
}

Result<std::pair<std::uint32_t, std::uint32_t>> parse_neuron(const std::string& text) {
    const auto number = [](std::string_view digits) -> std::optional<std::uint32_t> {
        std::uint32_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
        return value;
    };
    const auto colon = text.find(':');
    const auto layer = number(std::string_view(text).substr(0, std::min(colon, text.size())));
    const auto neuron =
        colon == std::string::npos ? std::nullopt : number(std::string_view(text).substr(colon + 1));
    if (!layer || !neuron) return Error{"\"" + text + "\" names no neuron; write LAYER:NEURON, such as 4:17"};
    return std::pair(*layer, *neuron);
}

/// Of the neurons that only the guard keeps from being frozen, those whose largest output is largest in their layer.
Result<std::vector<std::pair<std::uint32_t, std::uint32_t>>> guarded_neurons(const EvalOptions& options,
                                                                             const formats::ModelFile& file) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    if (options.guarded.empty()) return found;
    PERMAFROST_TRY(const auto profile, profile::read_profile(options.guarded));
    if (profile->info.model_sha256 != file.header_sha256())
        return Error{options.guarded + " is a profile of another model (" + profile->info.model_name + ")"};
    const auto decision = verdict::decide(*profile, {});
    std::vector<std::pair<double, std::pair<std::uint32_t, std::uint32_t>>> by_score;
    for (std::uint32_t layer = 0; layer < decision.masks.size(); ++layer) {
        const auto& guarded = decision.masks[layer].guarded;
        for (std::uint32_t neuron = 0; neuron < guarded.size(); ++neuron)
            if (guarded.test(neuron))
                by_score.push_back({-double{profile->layers[layer]->guard_score()[neuron]} /
                                        profile->layers[layer]->typical_output(),
                                    {layer, neuron}});
    }
    std::sort(by_score.begin(), by_score.end());
    if (by_score.size() > options.most_guarded) by_score.resize(options.most_guarded);
    for (const auto& entry : by_score) found.push_back(entry.second);
    return found;
}

Result<Variants> read_variants(const EvalOptions& options, const formats::ModelFile& file) {
    PERMAFROST_TRY(const auto config, model::read_model_config(file));
    profile::ProfilePtr means;
    if (!options.means.empty()) {
        PERMAFROST_TRY(means, profile::read_profile(options.means));
    }
    PERMAFROST_TRY(const auto handling, handling_of(options));
    Variants variants;
    for (const auto& path : options.masks) {
        PERMAFROST_TRY(const auto maps, masks::read_saturation_maps(path));
        PERMAFROST_TRY(auto variant,
                       quality::masked_model(path, maps.layers, config.intermediate, handling, means.get()));
        variants.models.push_back(std::move(variant));
        variants.mask_sha256.push_back(masks::mask_identity(maps.layers));
        variants.sketches.push_back(maps.corpus_sketch);
    }
    PERMAFROST_TRY(const auto guarded, guarded_neurons(options, file));
    for (const auto& [layer, neuron] : guarded) {
        PERMAFROST_TRY(auto variant, quality::without_neuron(layer, neuron, config.intermediate));
        variants.models.push_back(std::move(variant));
    }
    for (const auto& text : options.neurons) {
        PERMAFROST_TRY(const auto place, parse_neuron(text));
        PERMAFROST_TRY(auto variant, quality::without_neuron(place.first, place.second, config.intermediate));
        variants.models.push_back(std::move(variant));
    }
    variants.mask_sha256.resize(variants.models.size());
    variants.sketches.resize(variants.models.size());
    return variants;
}

Result<double> largest_overlap(const EvalOptions& options, const Variants& variants,
                               const text::Corpus& corpus) {
    double worst = 0;
    for (std::size_t i = 0; i < variants.sketches.size(); ++i) {
        if (!variants.sketches[i]) continue; // a neuron that was picked by hand is of no text
        const double share = text::shared_share(*variants.sketches[i], corpus);
        PERMAFROST_CHECK(check_overlap(options.text, options.masks[i], share));
        worst = std::max(worst, share);
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
    return {file.header_sha256(), name_of(options.text), handling_of(options).value(), {}, 0};
}

Result<void> run_eval(const EvalOptions& options) {
    if (!options.output.empty()) {
        std::vector<std::filesystem::path> inputs(options.masks.begin(), options.masks.end());
        for (const auto& path : {options.model, options.text.text, options.means, options.guarded})
            if (!path.empty()) inputs.emplace_back(path);
        PERMAFROST_CHECK(check_output(options.output, inputs));
    }
    PERMAFROST_TRY(const auto file, formats::open_model_file(options.model));
    PERMAFROST_TRY(const auto variants, read_variants(options, *file));
    PERMAFROST_TRY(const auto corpus, read_windows(options.text, *file));
    PERMAFROST_TRY(const double overlap, largest_overlap(options, variants, corpus));
    int shown = -1;
    const auto progress = [&](double share) {
        const int percent = static_cast<int>(100 * share);
        if (!options.quiet && percent >= shown + 10) std::fprintf(stderr, "%3d %%\n", shown = percent);
    };
    PERMAFROST_TRY(const auto evaluation, quality::evaluate_in_passes(file, corpus, variants.models, at_once,
                                                                      {options.text.context, options.threads},
                                                                      progress, interruption()));
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
    if (overlap > text::most_overlap)
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
    options->text.add_to(*command);
    command
        ->add_option(
            "--masks", options->masks,
            "masks (.rknot, .saturation.json, or an encoded model); several are evaluated in one pass")
        ->allow_extra_args(false);
    command->add_option("--fold-mean", options->means,
                        "profile (.frost): frozen neurons keep their mean there in place of zero");
    command->add_option(
        "--handling", options->handling,
        "of frozen neurons: zero, mean, or better (of both by neuron), and layers that differ, as "
        "mean,0-3:zero; all but zero need --fold-mean");
    command
        ->add_option("--neuron", options->neurons,
                     "LAYER:NEURON, evaluated with this one neuron at zero; may be given again")
        ->allow_extra_args(false);
    command->add_option(
        "--guarded", options->guarded,
        "profile (.frost): the neurons that its guard keeps from being frozen by the default rule, each "
        "alone at zero");
    command->add_option("--guarded-count", options->most_guarded, "only those N of the largest guard score")
        ->check(whole_number(1))
        ->capture_default_str();
    command->add_option("--tasks", options->tasks,
                        "multiple choice: MMLU's CSV, JSON lines, or builtin; answered by log-likelihood");
    command->add_option("--dev", options->dev,
                        "tasks of the same form, whose first ones go before each question as examples");
    command->add_option("--shots", options->shots, "examples before each question (with --dev)")
        ->check(whole_number(0, 100))
        ->capture_default_str();
    command->add_option("--threads", options->threads, "threads (default: one a processor)")
        ->check(whole_number(0, 1024));
    command->add_option("-o,--output", options->output,
                        "write the JSON object to this file (for mask --quality)");
    command->add_flag("--quiet", options->quiet, "no progress");
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
