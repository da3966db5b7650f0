// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/corpus_source.h"

#include "core/base/atomic_file.h"

namespace permafrost::text {
namespace {

Result<NamedCorpus> read_text_corpus(const CorpusSource& source, const Tokenizer& tokenizer,
                                     std::uint32_t context) {
    const auto& path = source.text;
    NamedCorpus named;
    PERMAFROST_TRY(const auto content, read_text(path));
    auto windows = cut_text(tokenizer, content, context, source.parse_special);
    if (!windows.ok() && !windows.cancelled()) return Error{path.string() + ": " + windows.message()};
    PERMAFROST_TRY(named.corpus, std::move(windows));
    named.source = path.filename().string();
    named.prompts = named.corpus.sequences.size();
    return named;
}

Result<std::vector<Prompt>> collect_prompts(const CorpusSource& source, std::string& name) {
    std::vector<Prompt> prompts;
    if (!source.prompts.empty()) {
        PERMAFROST_TRY(prompts, read_prompts(source.prompts));
        name = source.prompts.filename().string();
    }
    for (const auto& [domain, path] : source.domains) {
        PERMAFROST_TRY(const auto more, read_prompts(path, domain));
        prompts.insert(prompts.end(), more.begin(), more.end());
        name += (name.empty() ? "" : ", ") + path.filename().string();
    }
    if (source.prompts.empty() && source.domains.empty()) {
        prompts = builtin_prompts();
        name = "built-in prompts";
    }
    if (source.most_prompts > 0 && source.most_prompts < prompts.size()) prompts.resize(source.most_prompts);
    return prompts;
}

} // namespace

Result<std::string> read_text(const std::filesystem::path& path) {
    PERMAFROST_TRY(auto content, read_text_file(path));
    if (content.empty()) return Error{path.string() + " is empty; give a file with text"};
    if (content.find('\0') != content.npos)
        return Error{path.string() + " is a binary file or UTF-16 (it holds NUL bytes); give a UTF-8 text"};
    return content;
}

Result<NamedCorpus> read_corpus(const CorpusSource& source, const Tokenizer& tokenizer, std::uint32_t context,
                                const std::stop_token& stop) {
    if (!source.text.empty()) return read_text_corpus(source, tokenizer, context);
    NamedCorpus named;
    PERMAFROST_TRY(const auto prompts, collect_prompts(source, named.source));
    PERMAFROST_TRY(named.corpus, cut_prompts(tokenizer, prompts, context, stop, source.parse_special));
    named.prompts = prompts.size();
    return named;
}

} // namespace permafrost::text
