// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/corpus.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace permafrost::text {

/// Where a run's text comes from: a text file alone, or prompt files, or (all empty) the built-in prompt set.
struct CorpusSource {
    std::filesystem::path text;    ///< cut into whole windows
    std::filesystem::path prompts; ///< one prompt a line, or JSON lines
    std::vector<std::pair<std::string, std::filesystem::path>>
        domains;                    ///< prompt files with the domain they stand for
    std::uint64_t most_prompts = 0; ///< only the first ones; 0: all
    bool parse_special = false;     ///< the texts of control tokens become those tokens
};

/// A corpus and what a profile says about it.
struct NamedCorpus {
    Corpus corpus;
    std::string source;        ///< "built-in prompts", or the files' names without their folders
    std::uint64_t prompts = 0; ///< prompts, or windows of a text
};

/// A text file for cut_text(). Errors: it cannot be read, is empty, or holds NUL bytes and so is no text.
Result<std::string> read_text(const std::filesystem::path& path);

/// Errors as read_prompts(), read_text(), cut_text() and cut_prompts(), with the file's name.
Result<NamedCorpus> read_corpus(const CorpusSource& source, const Tokenizer& tokenizer, std::uint32_t context,
                                const std::stop_token& stop = {});

} // namespace permafrost::text
