// SPDX-License-Identifier: GPL-3.0-or-later
//
// Byte-level byte-pair encoding (GPT-2, Llama 3, Qwen, SmolLM, …). A text is cut at special tokens, then into
// pieces by the pre-tokenizer; the bytes of each piece are merged pair by pair. Ids are those of llama.cpp
// for every valid UTF-8 text.
//
// Bytes that are not valid UTF-8 keep their own tokens, so that decode() gives them back; llama.cpp encodes
// U+FFFD in their place. The cutting is the same: such a byte counts as a symbol. A byte for which the
// vocabulary has no token (SmolLM2 lacks 21 that rarely or never occur in UTF-8) is left out, as llama.cpp
// and Hugging Face's tokenizers do.
#pragma once

#include "core/text/merge_table.h"
#include "core/text/piece_cache.h"
#include "core/text/pretokenizer.h"
#include "core/text/special_tokens.h"
#include "core/text/tokenizer.h"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace permafrost::text {

class Merger;

class ByteLevelBpe : public Tokenizer {
  public:
    /// Errors: see make_tokenizer().
    static Result<std::shared_ptr<const Tokenizer>> make(TokenizerSpec spec);

    std::vector<TokenId> encode(std::string_view text, bool parse_special) const override;
    /// Ids that are not in the vocabulary stand for nothing.
    std::string decode(std::span<const TokenId> ids) const override;

    std::size_t vocabulary_size() const override { return bytes_.size(); }
    std::optional<TokenId> bos() const override { return bos_; }
    std::optional<TokenId> eos() const override { return eos_; }
    bool adds_bos() const override { return adds_bos_; }
    bool adds_eos() const override { return adds_eos_; }

  private:
    using Vocabulary = std::unordered_map<std::string, TokenId>;

    ByteLevelBpe(const TokenizerSpec& spec, Pretokenizer pretokenizer, const Vocabulary& vocabulary,
                 MergeTable merges);

    void encode_ordinary(std::string_view text, PieceCache& cache, Merger& merger,
                         std::vector<TokenId>& ids) const;
    void encode_piece(std::string_view piece, Merger& merger, std::vector<TokenId>& ids) const;

    Pretokenizer pretokenizer_;
    SpecialTokens specials_;
    MergeTable merges_;
    std::array<TokenId, 256> byte_ids_; ///< -1: no token
    std::vector<std::string> bytes_;    ///< (token) what an id stands for
    Vocabulary whole_pieces_; ///< bytes of a piece to its token; empty unless the pre-tokenizer asks for it
    std::optional<TokenId> bos_;
    std::optional<TokenId> eos_;
    bool adds_bos_, adds_eos_, composes_;
};

} // namespace permafrost::text
