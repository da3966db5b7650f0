// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/text/corpus_source.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace permafrost::cli {

/// What a run reads: `--prompts`, `--text`, `--domain`, `--num-prompts`, `--context`,
/// `--parse-special`, `--chat`.
struct CorpusOptions {
    std::string prompts;
    std::string text;
    std::vector<std::string> domains; ///< NAME=FILE
    std::uint64_t num_prompts = 0;    ///< 0: all
    std::uint32_t context = 512;
    bool parse_special = false;
    bool chat = false;

    void add_to(CLI::App& command);
};

/// Says so on stderr when there are fewer prompts than were asked for.
Result<text::NamedCorpus> read_corpus(const CorpusOptions& options, const text::Tokenizer& tokenizer);

/// The files that a run reads, which its output must not replace.
std::vector<std::filesystem::path> input_files(const std::string& model, const CorpusOptions& corpus);

} // namespace permafrost::cli
