// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluation_text.h"
#include "app/cli/option_checks.h"
#include "core/base/number_text.h"
#include "core/base/output_target.h"
#include "core/exports/removal.h"
#include "core/masks/mask_files.h"
#include "core/model/model_config.h"
#include "core/profile/profile_file.h"
#include "core/quality/masked_model.h"
#include "core/tensor/encode.h"

#include <cstdio>
#include <memory>

namespace permafrost::cli {
namespace {

struct PruneOptions {
    std::string model, masks, output;
    std::string means;    ///< profile
    std::string handling; ///< of removed neurons; empty: mean with a profile, else zero
    std::string type;     ///< of the down matrices
    std::string widths = "auto";
    std::uint32_t multiple = 32;
    EvaluationText text{"heldout", 512, 8, false};
    double most_difference = 0.5; ///< percent
    std::size_t threads = 0;
    bool quiet = false, json = false;
};

Result<exports::RemovalSettings> settings_of(const PruneOptions& options) {
    exports::RemovalSettings settings;
    settings.multiple = options.multiple;
    if (options.widths == "per-layer") settings.widths = exports::Widths::PerLayer;
    if (options.widths == "equal") settings.widths = exports::Widths::Equal;
    if (options.type.empty()) return settings;
    settings.down_type = tensor::element_type_from_name(options.type);
    if (!settings.down_type)
        return Error{"\"" + options.type + "\" is no type; choose " + tensor::encodable_types()};
    return settings;
}

Result<exports::RemovalPlan> plan_of(const PruneOptions& options, const formats::ModelFile& file) {
    PERMAFROST_TRY(const auto settings, settings_of(options));
    PERMAFROST_TRY(const auto config, model::read_model_config(file));
    PERMAFROST_TRY(const auto maps, masks::read_saturation_maps(options.masks));
    profile::ProfilePtr means;
    if (!options.means.empty()) {
        PERMAFROST_TRY(means, profile::read_profile(options.means));
    }
    quality::FrozenHandling handling;
    if (means) handling.all = quality::Handling::Mean;
    if (!options.handling.empty()) {
        PERMAFROST_TRY(handling, quality::parse_handling(options.handling));
    }
    PERMAFROST_TRY(const auto frozen, quality::masked_model(options.masks, maps.layers, config.intermediate,
                                                            handling, means.get()));
    return exports::plan_removal(file, frozen, settings, means.get());
}

// Of its weights.
std::uint64_t bytes_of_model(const formats::ModelFile& model) {
    std::uint64_t bytes = 0;
    for (const auto& view : model.tensors()) bytes += view.bytes.size();
    return bytes;
}

std::string megabytes(std::uint64_t bytes) { return fixed_text(static_cast<double>(bytes) / 1e6, 1) + " MB"; }

Result<void> print_removal(const PruneOptions& options, const formats::ModelFile& model,
                           const exports::RemovalPlan& plan, const exports::RemovalCheck& check) {
    PERMAFROST_TRY(const auto smaller, formats::open_model_file(options.output));
    const auto before = bytes_of_model(model), after = bytes_of_model(*smaller);
    if (options.json) {
        print_json({{"file", options.output},
                    {"weight_bytes", after},
                    {"original_weight_bytes", before},
                    {"architecture", plan.architecture},
                    {"neurons", plan.neurons},
                    {"frozen", plan.frozen},
                    {"removed", plan.removed_neurons()},
                    {"widths", plan.widths()},
                    {"check",
                     {{"text", name_of(options.text)},
                      {"tokens", check.tokens},
                      {"dense_ppl", check.dense_perplexity},
                      {"masked_ppl", check.masked_perplexity},
                      {"ppl", check.smaller_perplexity},
                      {"ratio", check.ratio()}}}});
        return {};
    }
    std::printf("Removed %llu of %llu neurons (%llu are frozen",
                static_cast<unsigned long long>(plan.removed_neurons()),
                static_cast<unsigned long long>(plan.neurons), static_cast<unsigned long long>(plan.frozen));
    if (plan.frozen != plan.removed_neurons())
        std::printf("; %llu of them stay, so that widths are %s",
                    static_cast<unsigned long long>(plan.frozen - plan.removed_neurons()),
                    plan.architecture == "deci" ? "of whole blocks" : "of whole blocks and equal");
    std::printf(")\nPerplexity on %s, %llu tokens: %.4f; the masked original %.4f, the original %.4f\n",
                name_of(options.text).c_str(), static_cast<unsigned long long>(check.tokens),
                check.smaller_perplexity, check.masked_perplexity, check.dense_perplexity);
    std::printf("Wrote %s (architecture %s, weights %s; the original's %s)\n", options.output.c_str(),
                plan.architecture.c_str(), megabytes(after).c_str(), megabytes(before).c_str());
    if (after >= before && plan.removed_neurons() != 0)
        std::printf(
            "It is not smaller, since its down matrices are of a larger type than the original's; --type "
            "chooses another.\n");
    return {};
}

Result<void> run_prune(const PruneOptions& options) {
    PERMAFROST_TRY(const auto file, formats::open_model_file(options.model));
    PERMAFROST_TRY(const auto plan, plan_of(options, *file));
    PERMAFROST_TRY(const auto corpus, read_windows(options.text, *file));
    int shown = -1;
    const auto progress = [&](const char* what) {
        return [&shown, what, quiet = options.quiet](double share) {
            const int percent = static_cast<int>(100 * share);
            if (percent < shown) shown = -1; // the next step
            if (!quiet && percent >= shown + 10) std::fprintf(stderr, "%s %3d %%\n", what, shown = percent);
        };
    };
    PERMAFROST_TRY(const auto check,
                   exports::remove_neurons(file, plan, options.output, corpus,
                                           {options.text.context, options.threads},
                                           options.most_difference / 100,
                                           {progress("writing"), progress("evaluating")}, interruption()));
    return print_removal(options, *file, plan, check);
}

} // namespace

void add_prune_command(Commands& commands) {
    auto options = std::make_shared<PruneOptions>();
    auto* command = add_command(commands, "prune", "a smaller model without the frozen neurons",
                                [options] { return run_prune(*options); });
    command->add_option("MODEL", options->model, "model file, or demo")->required();
    command
        ->add_option("--masks", options->masks,
                     "file with masks (.rknot, .saturation.json, or an encoded model)")
        ->required();
    command->add_option("-o,--output", options->output, "a .gguf; from a model of safetensors a new folder")
        ->required();
    command->add_option("--fold-mean", options->means,
                        "profile (.frost): removed neurons leave their mean in a bias in place of zero");
    command->add_option("--handling", options->handling,
                        "of removed neurons: zero, mean, or better, and layers that differ, as in eval");
    command->add_option("--type", options->type,
                        "of the down matrices: " + tensor::encodable_types() +
                            " (default: as they are where not quantised, else Q8_0)");
    command
        ->add_option("--widths", options->widths,
                     "per-layer (a Llama or Qwen2 becomes architecture deci), equal, or auto")
        ->check(CLI::IsMember({"auto", "per-layer", "equal"}))
        ->capture_default_str();
    command->add_option("--multiple", options->multiple, "widths are rounded up to a multiple of N")
        ->check(whole_number(1, 65536))
        ->capture_default_str();
    options->text.add_text_to(*command,
                              "text file on which the smaller model is compared with the masked one, or "
                              "heldout for the built-in one");
    command
        ->add_option("--most-difference", options->most_difference,
                     "percent of perplexity between both above which nothing is written")
        ->check(number_up_to(100))
        ->capture_default_str();
    command->add_option("--threads", options->threads, "threads (default: one a processor)")
        ->check(whole_number(0, 1024));
    command->add_flag("--quiet", options->quiet, "no progress");
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
