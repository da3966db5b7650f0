// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/byte_level_bpe.h"

#include "core/text/byte_alphabet.h"
#include "core/text/check_spec.h"
#include "core/text/merger.h"
#include "core/text/utf8.h"

namespace permafrost::text {
namespace {

using Type = TokenizerSpec::TokenType;
using Vocabulary = std::unordered_map<std::string, TokenId>;

constexpr std::size_t longest_merged_piece = std::size_t{1} << 30;

// Of two tokens with the same text the later one counts, as in llama.cpp.
Vocabulary index_tokens(const std::vector<std::string>& tokens) {
    Vocabulary vocabulary;
    vocabulary.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) vocabulary[tokens[i]] = static_cast<TokenId>(i);
    return vocabulary;
}

Error bad_merge(std::size_t number, const std::string& merge, const std::string& why) {
    return Error{"merge " + std::to_string(number) + " of the tokenizer, \"" + merge.substr(0, 100) + "\", " +
                 why + "; the model file is damaged"};
}

Result<MergeTable> read_merges(const std::vector<std::string>& merges, const Vocabulary& vocabulary) {
    MergeTable table(merges.size());
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const auto& merge = merges[i];
        const auto gap = merge.find(' ', 1);
        if (gap == merge.npos || gap + 1 == merge.size()) return bad_merge(i, merge, "is not two tokens");
        const auto left = merge.substr(0, gap);
        const auto right = merge.substr(gap + 1);
        std::array<TokenId, 3> ids{};
        std::size_t part = 0;
        for (const auto& text : {left, right, left + right}) {
            const auto found = vocabulary.find(text);
            if (found == vocabulary.end())
                return bad_merge(i, merge,
                                 "needs the token \"" + text.substr(0, 100) + "\", which does not exist");
            ids[part++] = found->second;
        }
        table.insert({ids[0], ids[1], ids[2], static_cast<std::uint32_t>(i)});
    }
    return table;
}

// Special tokens stand for their text as it is, and so does a token that is not written in the byte alphabet.
std::string meaning(const std::string& token, Type type) {
    if (type == Type::Control || type == Type::UserDefined || type == Type::Unknown) return token;
    return from_byte_alphabet(token).value_or(token);
}

} // namespace

Result<std::shared_ptr<const Tokenizer>> ByteLevelBpe::make(TokenizerSpec spec) {
    PERMAFROST_CHECK(check_spec(spec));
    PERMAFROST_TRY(auto pretokenizer, Pretokenizer::make(spec.pre));
    const auto vocabulary = index_tokens(spec.tokens);
    PERMAFROST_TRY(auto merges, read_merges(spec.merges, vocabulary));
    return std::shared_ptr<const Tokenizer>(
        new ByteLevelBpe(spec, std::move(pretokenizer), vocabulary, std::move(merges)));
}

ByteLevelBpe::ByteLevelBpe(const TokenizerSpec& spec, Pretokenizer pretokenizer, const Vocabulary& vocabulary,
                           MergeTable merges)
    : pretokenizer_(std::move(pretokenizer)), specials_(spec), merges_(std::move(merges)), bos_(spec.bos),
      eos_(spec.eos), adds_bos_(spec.add_bos), adds_eos_(spec.add_eos), composes_(spec.compose) {
    for (std::size_t byte = 0; byte < byte_ids_.size(); ++byte) {
        const auto found = vocabulary.find(byte_character(static_cast<std::uint8_t>(byte)));
        byte_ids_[byte] = found == vocabulary.end() ? -1 : found->second;
    }
    bytes_.reserve(spec.tokens.size());
    for (std::size_t i = 0; i < spec.tokens.size(); ++i)
        bytes_.push_back(meaning(spec.tokens[i], spec.types.empty() ? Type::Normal : spec.types[i]));
    if (!pretokenizer_.ignores_merges()) return;
    for (const auto& [token, id] : vocabulary)
        if (auto piece = from_byte_alphabet(token); piece && !piece->empty())
            whole_pieces_.emplace(*piece, id);
}

std::vector<TokenId> ByteLevelBpe::encode(std::string_view text, bool parse_special) const {
    std::vector<TokenId> ids;
    ids.reserve(text.size() / 4);
    PieceCache cache(text.size());
    Merger merger(merges_);
    const auto fragments = specials_.partition(text, parse_special);
    // The cache refers to the texts it was filled from.
    std::vector<std::string> composed_texts;
    composed_texts.reserve(composes_ ? fragments.size() : 0);
    for (const auto& fragment : fragments) {
        if (fragment.token)
            ids.push_back(*fragment.token);
        else if (composes_)
            encode_ordinary(composed_texts.emplace_back(composed(fragment.text)), cache, merger, ids);
        else
            encode_ordinary(fragment.text, cache, merger, ids);
    }
    return ids;
}

void ByteLevelBpe::encode_ordinary(std::string_view text, PieceCache& cache, Merger& merger,
                                   std::vector<TokenId>& ids) const {
    PieceWalk walk(pretokenizer_, text);
    for (auto piece = walk.next(); !piece.empty(); piece = walk.next())
        cache.encode(piece, ids, [&](std::string_view part) { encode_piece(part, merger, ids); });
}

void ByteLevelBpe::encode_piece(std::string_view piece, Merger& merger, std::vector<TokenId>& ids) const {
    if (!whole_pieces_.empty()) {
        if (const auto found = whole_pieces_.find(std::string(piece)); found != whole_pieces_.end()) {
            ids.push_back(found->second);
            return;
        }
    }
    std::vector<TokenId> symbols;
    for (std::size_t begin = 0; begin < piece.size(); begin += longest_merged_piece) {
        symbols.clear();
        for (const char byte : piece.substr(begin, longest_merged_piece))
            symbols.push_back(byte_ids_[static_cast<std::uint8_t>(byte)]);
        merger.merge(symbols, ids);
    }
}

std::string ByteLevelBpe::decode(std::span<const TokenId> ids) const {
    std::string text;
    for (const auto id : ids)
        if (id >= 0 && static_cast<std::size_t>(id) < bytes_.size())
            text += bytes_[static_cast<std::size_t>(id)];
    return text;
}

} // namespace permafrost::text
