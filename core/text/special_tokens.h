// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace permafrost::text {

/// Tokens that are found in a text as they are, before it is cut into pieces: user-defined tokens always,
/// control and unknown tokens on request.
class SpecialTokens {
  public:
    explicit SpecialTokens(const TokenizerSpec& spec);

    /// A part of a text that is one special token, or ordinary text.
    struct Fragment {
        std::string_view text;
        std::optional<TokenId> token;
    };

    /// As llama.cpp does it: longer special tokens claim their places first, each from left to right; of the
    /// same length the lower id goes first. The fragments in their order are the whole text, but for white space that a
    /// token swallows; none is empty.
    std::vector<Fragment> partition(std::string_view text, bool parse_special) const;

  private:
    struct Special {
        std::string text;
        TokenId id;
        bool on_request;
    };
    void strip(std::vector<Fragment>& fragments) const;

    std::vector<Special> specials_; ///< longest first
    std::vector<TokenId> strip_left_, strip_right_;
};

} // namespace permafrost::text
