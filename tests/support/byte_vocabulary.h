// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/byte_alphabet.h"
#include "core/text/tokenizer.h"

#include <initializer_list>
#include <memory>
#include <string>

namespace permafrost::test {

/// A vocabulary whose id b below 256 is the byte b, followed by one token a merge ("t h", "th e") in that
/// order.
inline text::TokenizerSpec byte_vocabulary(std::initializer_list<const char*> merges = {},
                                           std::string pre = "gpt-2") {
    text::TokenizerSpec spec;
    spec.model = "gpt2";
    spec.pre = std::move(pre);
    for (int byte = 0; byte < 256; ++byte)
        spec.tokens.push_back(text::byte_character(static_cast<std::uint8_t>(byte)));
    for (std::string merge : merges) {
        spec.merges.push_back(merge);
        merge.erase(merge.find(' '), 1);
        spec.tokens.push_back(merge);
    }
    return spec;
}

/// Adds a token of the given type and returns its id.
inline text::TokenId add_token(text::TokenizerSpec& spec, const std::string& token,
                               text::TokenizerSpec::TokenType type = text::TokenizerSpec::TokenType::Normal) {
    spec.types.resize(spec.tokens.size(), text::TokenizerSpec::TokenType::Normal);
    spec.tokens.push_back(token);
    spec.types.push_back(type);
    return static_cast<text::TokenId>(spec.tokens.size() - 1);
}

} // namespace permafrost::test
