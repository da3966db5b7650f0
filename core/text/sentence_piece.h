// SPDX-License-Identifier: GPL-3.0-or-later
//
// SentencePiece's byte-pair encoding with byte fallback (Llama 2, Mistral, TinyLlama, Phi-3, Gemma): GGUF files call it
// "llama". Spaces become U+2581, a space is put before the text where the model wants one, and the characters are merged,
// the pair whose token has the best score first, of equals the leftmost. A character that is in no token is written as its
// bytes ("<0xE2>"), without those as the unknown token.
//
// User-defined tokens are cut out first, from left to right, the longest at each place, as SentencePiece does; control
// tokens on request. Control, unknown, byte and unused tokens never come out of merges. A byte that is part of no UTF-8
// character counts as a character of its own.
//
// Files of "t5" have the same tokens and are cut by unigram.h in place of merges.
#pragma once

#include "core/text/merge_table.h"
#include "core/text/tokenizer.h"
#include "core/text/unigram.h"

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace permafrost::text {

class Merger;
class PieceCache;

class SentencePiece : public Tokenizer {
  public:
    /// Errors: see make_tokenizer().
    static Result<std::shared_ptr<const Tokenizer>> make(TokenizerSpec spec);

    std::vector<TokenId> encode(std::string_view text, bool parse_special) const override;
    /// A space that was put before the text stays. Ids that are not in the vocabulary stand for nothing.
    std::string decode(std::span<const TokenId> ids) const override;

    std::size_t vocabulary_size() const override { return bytes_.size(); }
    std::optional<TokenId> bos() const override { return bos_; }
    std::optional<TokenId> eos() const override { return eos_; }
    bool adds_bos() const override { return adds_bos_; }
    bool adds_eos() const override { return adds_eos_; }

  private:
    /// Ids from the vocabulary's size on are characters that are in tokens but no tokens themselves.
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    using Symbols = std::unordered_map<std::string, TokenId, Hash, std::equal_to<>>;
    struct Special {
        std::string text;
        TokenId id;
        bool on_request;
        bool strips_left = false, strips_right = false; ///< swallows white space
    };

    explicit SentencePiece(const TokenizerSpec& spec);
    void read_unigram(const TokenizerSpec& spec);
    Result<void> read_merges(const TokenizerSpec& spec);
    Result<void> read_listed_merges(const std::vector<std::string>& merges);
    void index_specials();
    bool wants_space(std::string_view part, bool at_beginning) const;
    /// The longest special token that `text` begins with, or null.
    const Special* special_at(std::string_view text, bool parse_special) const;
    void encode_ordinary(const std::string& text, PieceCache& cache, Merger& merger,
                         std::vector<TokenId>& ids) const;
    void encode_piece(std::string_view piece, Merger& merger, std::vector<TokenId>& ids) const;
    void encode_by_unigram(std::string_view piece, std::vector<TokenId>& ids) const;
    void add_bytes(std::string_view character, std::vector<TokenId>& ids) const;

    Symbols symbols_;                     ///< tokens that may come out of merges, and single characters
    std::vector<std::string> characters_; ///< those that are no tokens
    MergeTable merges_;
    std::unique_ptr<const Unigram> unigram_;          ///< null: merges
    bool words_are_apart_ = true;                     ///< no token reaches over the beginning of a word
    std::vector<Special> specials_;                   ///< ordered by text
    std::array<std::size_t, 257> specials_of_byte_{}; ///< (first byte) where those that begin with it stand
    std::array<TokenId, 256> byte_ids_;               ///< -1: no token
    std::vector<std::string> bytes_;                  ///< (token) what an id stands for
    std::optional<TokenId> unknown_, bos_, eos_;
    bool adds_bos_, adds_eos_;
    TokenizerSpec::SpacePrefix space_prefix_;
};

} // namespace permafrost::text
