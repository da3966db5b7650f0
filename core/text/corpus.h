// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/text/tokenizer.h"

#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace permafrost::text {

/// One prompt and the domain it belongs to ("code", "narrative", …; empty: none given).
struct Prompt {
    std::string text;
    std::string domain;
};

/// Reads a prompt file: one prompt a line, or JSON lines with `prompt` and optional `domain` (recognised by
/// the first line starting with '{'). Blank lines are skipped. Errors: empty file, binary file (a NUL byte),
/// a malformed JSON line or one without `prompt` (with its line number). `domain` is used for lines that name
/// none.
Result<std::vector<Prompt>> read_prompts(const std::filesystem::path& path, const std::string& domain = {});
Result<std::vector<Prompt>> parse_prompts(std::string_view content, const std::string& where,
                                          const std::string& domain = {});
/// The prompt set that comes with the program.
std::vector<Prompt> builtin_prompts();

/// A run of tokens that is processed with its own attention and its own positions, 0 first.
struct Sequence {
    std::vector<TokenId> tokens;
    std::uint32_t domain = 0; ///< index into Corpus::domains
    std::uint64_t prompt = 0; ///< which of the prompts, or windows, it is of, from 0
};

/// What is run through the model.
struct Corpus {
    std::vector<Sequence> sequences;
    std::vector<std::string> domains; ///< names; "" for text without a domain
    std::uint64_t tokens = 0;         ///< over all sequences
    std::string sha256;               ///< over the token ids and the sequence borders
    std::uint64_t dropped_tokens = 0; ///< at the end of a text, less than a window
};

/// Consecutive windows of exactly `context` tokens with no padding; a last partial window is dropped. Where
/// the model asks for a BOS token the window's first token is BOS in place of the text's token, as
/// llama-perplexity and llama-imatrix do. Errors: context below 2, fewer tokens than one window.
Result<Corpus> cut_text(const Tokenizer& tokenizer, std::string_view text, std::uint32_t context,
                        bool parse_special = false);

/// One sequence a prompt, a BOS token before it where the model asks for one. A prompt longer than `context`
/// tokens becomes several sequences, each with a BOS of its own; prompts without tokens are left out. Errors:
/// nothing to tokenise. Cancelled between prompts on `stop`. With `parse_special` the texts of control tokens become
/// those tokens, in cut_text() too; a prompt that begins with BOS then gets no second one.
Result<Corpus> cut_prompts(const Tokenizer& tokenizer, const std::vector<Prompt>& prompts,
                           std::uint32_t context, const std::stop_token& stop = {},
                           bool parse_special = false);

/// The corpus of these sequences alone, ascending indices; nothing else is different.
Corpus chosen_sequences(const Corpus& corpus, std::span<const std::size_t> sequences);

} // namespace permafrost::text
