// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/atomic_file.h"
#include "core/base/embedded_files.h"
#include "core/quality/dense_evaluation.h"

#include <cstdio>
#include <iostream>
#include <memory>

namespace permafrost::cli {
namespace {

struct EvalOptions {
    std::string model;
    std::string text;
    std::uint32_t context = 512;
    std::uint64_t windows = 0;
    std::size_t threads = 0;
    bool quiet = false;
    bool json = false;
};

Result<text::Corpus> read_windows(const EvalOptions& options, const formats::ModelFile& file) {
    PERMAFROST_TRY(const auto tokenizer, model::read_tokenizer(file));
    std::string content(embedded::heldout_text());
    if (options.text != "heldout") {
        PERMAFROST_TRY(content, read_text_file(options.text));
    }
    auto corpus = text::cut_text(*tokenizer, content, options.context);
    if (!corpus.ok() && !corpus.cancelled()) return Error{options.text + ": " + corpus.message()};
    if (corpus.ok() && options.windows > 0 && corpus->sequences.size() > options.windows)
        corpus->sequences.resize(options.windows);
    return corpus;
}

Result<void> run_eval(const EvalOptions& options) {
    PERMAFROST_TRY(const auto file, formats::open_model_file(options.model));
    PERMAFROST_TRY(const auto corpus, read_windows(options, *file));
    int shown = -1;
    const auto progress = [&](double share) {
        const int percent = static_cast<int>(100 * share);
        if (!options.quiet && percent >= shown + 10) std::fprintf(stderr, "%3d %%\n", shown = percent);
    };
    PERMAFROST_TRY(const auto evaluation,
                   quality::evaluate_dense(file, corpus, {options.context, options.threads, 4096}, progress,
                                           interruption()));
    if (options.json) {
        print_json({{"dense",
                     {{"ppl", evaluation.perplexity},
                      {"ppl_error", evaluation.perplexity_error},
                      {"nll", evaluation.nll},
                      {"top1_accuracy", evaluation.top1_accuracy}}},
                    {"tokens", evaluation.tokens},
                    {"masked", nlohmann::ordered_json::array()}});
        return {};
    }
    std::printf("Dense model: perplexity %.4f +/- %.4f, mean NLL %.5f, next-token accuracy %.2f %% (%llu "
                "scored tokens)\n",
                evaluation.perplexity, evaluation.perplexity_error, evaluation.nll,
                100 * evaluation.top1_accuracy, static_cast<unsigned long long>(evaluation.tokens));
    return {};
}

} // namespace

void add_eval_command(Commands& commands) {
    auto options = std::make_shared<EvalOptions>();
    auto* command =
        add_command(commands, "eval", "perplexity and next-token accuracy of the dense model on a text",
                    [options] { return run_eval(*options); });
    command->add_option("MODEL", options->model, "model file, or demo")->required();
    command->add_option("--text", options->text, "text file, or heldout for the built-in one")->required();
    command->add_option("--context", options->context, "tokens a window; the second half is scored")
        ->check(CLI::Range(4, 65535))
        ->capture_default_str();
    command->add_option("--windows", options->windows, "only the first N windows (default: all)")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--threads", options->threads, "threads (default: one a processor)")
        ->check(CLI::Range(0, 1024));
    command->add_flag("--quiet", options->quiet, "no progress");
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
