// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include "core/text/byte_level_bpe.h"
#include "core/text/sentence_piece.h"

#include <array>
#include <utility>

namespace permafrost::text {
namespace {

// One row a kind of tokenizer.
struct Kind {
    std::string_view model;
    Result<std::shared_ptr<const Tokenizer>> (*make)(TokenizerSpec spec);
};

constexpr auto kinds = std::to_array<Kind>(
    {{"gpt2", ByteLevelBpe::make}, {"llama", SentencePiece::make}, {"t5", SentencePiece::make}});

using SpacePrefix = TokenizerSpec::SpacePrefix;
constexpr auto space_prefixes = std::to_array<std::pair<SpacePrefix, std::string_view>>(
    {{SpacePrefix::Never, "never"},
     {SpacePrefix::Always, "always"},
     {SpacePrefix::UnlessThere, "unless_there"},
     {SpacePrefix::FirstUnlessThere, "first_unless_there"}});

} // namespace

std::string_view name_of(SpacePrefix prefix) {
    for (const auto& [known, name] : space_prefixes)
        if (known == prefix) return name;
    return {};
}

SpacePrefix space_prefix_of(std::string_view name) {
    for (const auto& [prefix, known] : space_prefixes)
        if (known == name) return prefix;
    return SpacePrefix::Always;
}

Result<std::shared_ptr<const Tokenizer>> make_tokenizer(TokenizerSpec spec) {
    std::string known;
    for (const auto& kind : kinds) {
        if (kind.model == spec.model) return kind.make(std::move(spec));
        known += (known.empty() ? "" : ", ") + std::string(kind.model);
    }
    return Error{"the tokenizer model \"" + spec.model + "\" is not supported; known are: " + known};
}

} // namespace permafrost::text
