// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/check_spec.h"

#include <limits>
#include <unordered_map>

namespace permafrost::text {
namespace {

Result<void> check_id(const std::optional<TokenId>& id, const char* name, std::size_t size) {
    if (!id || (*id >= 0 && static_cast<std::size_t>(*id) < size)) return {};
    return Error{"the tokenizer's " + std::string(name) + " token is " + std::to_string(*id) +
                 ", but there are only " + std::to_string(size) + " tokens; the model file is damaged"};
}

Result<void> check_unique(const std::vector<std::string>& tokens) {
    std::unordered_map<std::string_view, std::size_t> first;
    first.reserve(tokens.size());
    for (std::size_t id = 0; id < tokens.size(); ++id)
        if (const auto [place, added] = first.emplace(tokens[id], id); !added && !tokens[id].empty())
            return Error{"the tokenizer's tokens " + std::to_string(place->second) + " and " +
                         std::to_string(id) + " are the same, \"" + tokens[id].substr(0, 60) +
                         "\"; the model file is damaged"};
    return {};
}

} // namespace

Result<void> check_spec(const TokenizerSpec& spec) {
    if (spec.tokens.empty()) return Error{"the tokenizer has no tokens; the model file is damaged"};
    constexpr std::size_t limit = std::numeric_limits<TokenId>::max();
    if (spec.tokens.size() > limit || spec.merges.size() > limit)
        return Error{"the tokenizer has more than 2^31 tokens or merges; the model file is damaged"};
    if (!spec.types.empty() && spec.types.size() != spec.tokens.size())
        return Error{"the tokenizer lists " + std::to_string(spec.tokens.size()) + " tokens but " +
                     std::to_string(spec.types.size()) + " token types; the model file is damaged"};
    PERMAFROST_CHECK(check_unique(spec.tokens));
    PERMAFROST_CHECK(check_id(spec.bos, "BOS", spec.tokens.size()));
    PERMAFROST_CHECK(check_id(spec.eos, "EOS", spec.tokens.size()));
    if (spec.add_eos && !spec.eos)
        return Error{
            "the tokenizer asks for an EOS token after each text but does not say which token that is"};
    if (spec.add_bos && !spec.bos)
        return Error{
            "the tokenizer asks for a BOS token before each text but does not say which token that is"};
    return {};
}

} // namespace permafrost::text
