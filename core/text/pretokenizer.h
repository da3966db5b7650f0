// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pre-tokenizers cut a text into pieces (words, numbers, punctuation, white space) that tokens never cross.
// Each is one regular expression, known by the name that GGUF files give it (tokenizer.ggml.pre). The classes
// are Unicode's: letters \p{L} and numbers \p{N} of Unicode 15.1 at least (whatever the PCRE2 library knows
// plus what 15.1 added), white space the White_Space property. Pieces are those of llama.cpp.
#pragma once

#include "core/base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace permafrost::text {

class Pretokenizer {
  public:
    /// Errors: a name that is not known (the message lists those that are).
    static Result<Pretokenizer> make(std::string_view name);

    /// Whether a whole piece that is a token is taken as that token even where the merges would not lead to
    /// it.
    bool ignores_merges() const { return ignores_merges_; }

  private:
    friend class PieceWalk;
    struct Pattern;
    Pretokenizer(std::shared_ptr<const Pattern> pattern, bool ignores_merges)
        : pattern_(std::move(pattern)), ignores_merges_(ignores_merges) {}

    std::shared_ptr<const Pattern> pattern_;
    bool ignores_merges_;
};

/// Goes over the pieces of one text, which together are the whole text. The text may hold any bytes: for the
/// cutting, a byte that is part of no UTF-8 character counts as a symbol.
class PieceWalk {
  public:
    /// Both arguments must outlive the walk.
    PieceWalk(const Pretokenizer& pretokenizer, std::string_view text);
    ~PieceWalk();
    PieceWalk(const PieceWalk&) = delete;
    PieceWalk& operator=(const PieceWalk&) = delete;

    /// The next piece, a part of the text; empty at the end.
    std::string_view next();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace permafrost::text
