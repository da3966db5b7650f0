// SPDX-License-Identifier: GPL-3.0-or-later
//
// SentencePiece's unigram model: of all ways to cut a piece into tokens, the one with the largest sum of scores
// (log-probabilities). A character that is in no token counts 10 less than the worst token. Kudo, "Subword Regularization",
// 2018; constants and ties as in SentencePiece's unigram_model.cc and Hugging Face's tokenizers.
#pragma once

#include "core/text/tokenizer.h"

#include <string_view>
#include <vector>

namespace permafrost::text {

class Unigram {
  public:
    struct Entry {
        std::string_view text; ///< must outlive the object; not empty
        TokenId id;
        double score;
    };
    /// A part of a piece; without an id a run of characters that no token has.
    struct Part {
        std::string_view text;
        TokenId id = -1;
    };

    explicit Unigram(std::vector<Entry> entries);
    std::vector<Part> best_parts(std::string_view piece) const;

  private:
    std::vector<Entry> entries_; ///< by text
    double unknown_score_ = 0;
};

} // namespace permafrost::text
