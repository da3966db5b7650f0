// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/special_tokens.h"

#include "core/text/utf8.h"

#include <algorithm>

namespace permafrost::text {
namespace {

using Fragments = std::vector<SpecialTokens::Fragment>;
using Type = TokenizerSpec::TokenType;

void cut_out(std::string_view special, TokenId id, std::string_view text, Fragments& result) {
    for (auto at = text.find(special); at != text.npos; at = text.find(special)) {
        if (at > 0) result.push_back({text.substr(0, at), std::nullopt});
        result.push_back({text.substr(at, special.size()), id});
        text.remove_prefix(at + special.size());
    }
    if (!text.empty()) result.push_back({text, std::nullopt});
}

} // namespace

SpecialTokens::SpecialTokens(const TokenizerSpec& spec)
    : strip_left_(spec.strip_left), strip_right_(spec.strip_right) {
    for (std::size_t i = 0; i < spec.types.size(); ++i) {
        const auto type = spec.types[i];
        const bool on_request = type == Type::Control || type == Type::Unknown;
        if ((!on_request && type != Type::UserDefined) || spec.tokens[i].empty()) continue;
        specials_.push_back({spec.tokens[i], static_cast<TokenId>(i), on_request});
    }
    std::stable_sort(specials_.begin(), specials_.end(),
                     [](const Special& a, const Special& b) { return a.text.size() > b.text.size(); });
}

std::vector<SpecialTokens::Fragment> SpecialTokens::partition(std::string_view text,
                                                              bool parse_special) const {
    Fragments fragments;
    if (text.empty()) return fragments;
    fragments.push_back({text, std::nullopt});
    for (const auto& special : specials_) {
        if ((special.on_request && !parse_special) || text.find(special.text) == text.npos) continue;
        Fragments finer;
        for (const auto& fragment : fragments) {
            if (fragment.token)
                finer.push_back(fragment);
            else
                cut_out(special.text, special.id, fragment.text, finer);
        }
        fragments = std::move(finer);
    }
    if (!strip_left_.empty() || !strip_right_.empty()) strip(fragments);
    return fragments;
}

void SpecialTokens::strip(Fragments& fragments) const {
    const auto swallows = [&](std::size_t place, const std::vector<TokenId>& tokens) {
        if (place >= fragments.size() || !fragments[place].token) return false;
        return std::find(tokens.begin(), tokens.end(), *fragments[place].token) != tokens.end();
    };
    for (std::size_t i = 0; i < fragments.size(); ++i) {
        auto& text = fragments[i].text;
        if (fragments[i].token) continue;
        if (i > 0 && swallows(i - 1, strip_right_)) text.remove_prefix(leading_white_space(text));
        if (swallows(i + 1, strip_left_)) text.remove_suffix(trailing_white_space(text));
    }
    std::erase_if(fragments, [](const Fragment& fragment) { return fragment.text.empty(); });
}

} // namespace permafrost::text
