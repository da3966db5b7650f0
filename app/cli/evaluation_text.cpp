// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation_text.h"

#include "app/cli/option_checks.h"
#include "core/base/embedded_files.h"
#include "core/base/number_text.h"
#include "core/model/read_tokenizer.h"
#include "core/text/corpus_source.h"
#include "core/text/overlap_sketch.h"

#include <filesystem>

namespace permafrost::cli {

void EvaluationText::add_to(CLI::App& command) {
    add_text_to(command, "text file, or heldout for the built-in one");
    command.get_option("--text")->required();
    command.add_flag("--force", force,
                     "also evaluate masks on text that they were made from; the result says so");
}

void EvaluationText::add_text_to(CLI::App& command, const std::string& purpose) {
    command.add_option("--text", text, purpose);
    command.add_option("--context", context, "tokens a window; the second half is scored")
        ->check(whole_number(4, 65535))
        ->capture_default_str();
    auto* count =
        command.add_option("--windows", windows, "only the first N windows")->check(whole_number(1));
    count->default_str(windows == 0 ? "all" : std::to_string(windows));
}

Result<text::Corpus> read_windows(const EvaluationText& options, const formats::ModelFile& file) {
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

std::string name_of(const EvaluationText& options) {
    return options.text == "heldout" ? "held-out text"
                                     : std::filesystem::path(options.text).filename().string();
}

Result<void> check_overlap(const EvaluationText& options, const std::string& masks, double share) {
    if (share <= text::most_overlap || options.force) return {};
    return Error{
        masks + " was made from " + fixed_text(100 * share, 1) +
        " % of this text (13-token sequences in common), so its quality would look better than it is; "
        "evaluate on another text, or add --force, which the result then says"};
}

} // namespace permafrost::cli
