// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include "core/text/byte_level_bpe.h"
#include "core/text/sentence_piece.h"

#include <array>

namespace permafrost::text {
namespace {

// One row a kind of tokenizer.
struct Kind {
    std::string_view model;
    Result<std::shared_ptr<const Tokenizer>> (*make)(TokenizerSpec spec);
};

constexpr auto kinds = std::to_array<Kind>({{"gpt2", ByteLevelBpe::make}, {"llama", SentencePiece::make}});

} // namespace

Result<std::shared_ptr<const Tokenizer>> make_tokenizer(TokenizerSpec spec) {
    std::string known;
    for (const auto& kind : kinds) {
        if (kind.model == spec.model) return kind.make(std::move(spec));
        known += (known.empty() ? "" : ", ") + std::string(kind.model);
    }
    return Error{"the tokenizer model \"" + spec.model + "\" is not supported; known are: " + known};
}

} // namespace permafrost::text
