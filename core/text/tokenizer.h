// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace permafrost::text {

using TokenId = std::int32_t;

/// What a model file says about its tokenizer (GGUF's tokenizer.ggml.* keys).
struct TokenizerSpec {
    /// Kinds of token, numbers as in tokenizer.ggml.token_type.
    enum class TokenType : std::int32_t {
        Normal = 1,
        Unknown = 2,
        Control = 3,
        UserDefined = 4,
        Unused = 5,
        Byte = 6
    };

    std::string model; ///< "gpt2" is byte-level BPE, "llama" SentencePiece's BPE, "t5" its unigram model
    std::string pre;   ///< name of the pre-tokenizer: "gpt-2", "smollm", "llama-bpe", "qwen2", …
    std::vector<std::string> tokens; ///< text of each id, in the byte-level alphabet
    std::vector<TokenType> types;    ///< one a token, or empty: all normal
    /// (token) of SentencePiece: higher merges first, unless merges are listed; of "t5" log-probabilities.
    std::vector<double> scores;
    std::vector<std::string> merges; ///< "left right", best first
    std::optional<TokenId> bos;
    std::optional<TokenId> eos;
    std::optional<TokenId> unknown;
    bool add_bos = false; ///< whether the model wants a BOS token before each sequence
    bool add_eos = false; ///< and an EOS token after it

    /// SentencePiece: where a space goes before a text. Parts between special tokens are texts of their own.
    enum class SpacePrefix : std::uint8_t {
        Never,
        Always,
        UnlessThere,      ///< not before one that begins with a space
        FirstUnlessThere, ///< the same, and only at the very beginning
    };
    SpacePrefix space_prefix = SpacePrefix::Never;
    bool compose = false; ///< texts are brought to Unicode's form NFC first (Qwen in Hugging Face's files)
    /// Special tokens that swallow the white space before or after them.
    std::vector<TokenId> strip_left, strip_right;
};

/// "never", "always", "unless_there", "first_unless_there"; Always for anything else.
std::string_view name_of(TokenizerSpec::SpacePrefix prefix);
TokenizerSpec::SpacePrefix space_prefix_of(std::string_view name);

/// Text to token ids and back. Immutable; safe to use from many threads.
class Tokenizer {
  public:
    virtual ~Tokenizer() = default;

    /// Ids of `text`, any bytes allowed, without a BOS token. With `parse_special` the text of control tokens
    /// ("<|endoftext|>") becomes their ids, otherwise it is ordinary text; user-defined tokens are always
    /// matched.
    virtual std::vector<TokenId> encode(std::string_view text, bool parse_special = false) const = 0;
    /// The bytes that the ids stand for.
    virtual std::string decode(std::span<const TokenId> ids) const = 0;

    virtual std::size_t vocabulary_size() const = 0;
    virtual std::optional<TokenId> bos() const = 0;
    virtual std::optional<TokenId> eos() const = 0;
    virtual bool adds_bos() const = 0;
    virtual bool adds_eos() const = 0;
};

/// Errors: a tokenizer model or pre-tokenizer that is not known (the message lists those that are), a merge
/// that names no token, lists of different length.
Result<std::shared_ptr<const Tokenizer>> make_tokenizer(TokenizerSpec spec);

} // namespace permafrost::text
