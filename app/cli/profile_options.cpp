// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile_options.h"

#include "app/cli/console.h"
#include "app/cli/option_checks.h"

#include <iostream>

namespace permafrost::cli {

void CorpusOptions::add_to(CLI::App& command) {
    auto* from_prompts = command.add_option(
        "--prompts", prompts, "one prompt a line, or JSON lines with prompt and optional domain");
    auto* from_text = command.add_option("--text", text, "a text, cut into windows of --context tokens");
    auto* from_domains =
        command.add_option("--domain", domains, "NAME=FILE: prompts of a domain; may be repeated")
            ->allow_extra_args(false)
            ->take_all()
            ->check(domain_file());
    auto* number =
        command
            .add_option("--num-prompts,--num-samples", num_prompts, "only the first N prompts (default: all)")
            ->check(whole_number(1));
    from_text->excludes(from_prompts)->excludes(from_domains)->excludes(number);
    command.add_option("--context", context, "tokens a sequence at most")
        ->check(whole_number(2, 65535))
        ->capture_default_str();
    command.add_flag("--parse-special", parse_special,
                     "texts of control tokens (\"<|im_start|>\") become those tokens");
    command.add_flag("--chat", chat, "apply the model's chat template (not available: says what to do)");
}

Result<text::NamedCorpus> read_corpus(const CorpusOptions& options, const text::Tokenizer& tokenizer) {
    if (options.chat)
        return Error{
            "--chat: chat templates are Jinja programs, and no Jinja library is part of this build; apply "
            "the "
            "template elsewhere (transformers: apply_chat_template with tokenize=False), write the result as "
            "--prompts or --text, and add --parse-special"};
    text::CorpusSource source{options.text, options.prompts, {}, options.num_prompts, options.parse_special};
    for (const auto& domain : options.domains) {
        const auto equals = domain.find('=');
        source.domains.emplace_back(domain.substr(0, equals), domain.substr(equals + 1));
    }
    PERMAFROST_TRY(auto named, text::read_corpus(source, tokenizer, options.context, interruption()));
    if (options.num_prompts > named.prompts)
        std::cerr << "note: " << options.num_prompts << " prompts were asked for; " << named.source << " has "
                  << named.prompts << ", all are used\n";
    return named;
}

std::vector<std::filesystem::path> input_files(const std::string& model, const CorpusOptions& corpus) {
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    if (std::filesystem::is_directory(model, ignored)) { // a Hugging Face folder
        for (const auto& file : std::filesystem::directory_iterator(model, ignored))
            files.push_back(file.path());
    } else if (model != "demo") {
        files.emplace_back(model);
    }
    for (const auto& file : {corpus.prompts, corpus.text})
        if (!file.empty()) files.emplace_back(file);
    for (const auto& domain : corpus.domains) files.emplace_back(domain.substr(domain.find('=') + 1));
    return files;
}

} // namespace permafrost::cli
