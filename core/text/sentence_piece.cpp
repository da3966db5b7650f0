// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentence_piece.h"

#include "core/text/check_spec.h"
#include "core/text/merger.h"
#include "core/text/piece_cache.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <cmath>

namespace permafrost::text {
namespace {

using Type = TokenizerSpec::TokenType;

constexpr std::string_view space_mark = "\u2581";
constexpr TokenId first_unknown = TokenId{1} << 30; // symbols of characters that are in no token
// A piece without a word's beginning is cut so that places fit the merger.
constexpr std::size_t longest_piece = std::size_t{1} << 28;

std::size_t character_at(std::string_view text, std::size_t at) {
    return std::max<std::size_t>(1, character_length(text, at));
}

std::string with_space_marks(std::string_view text) {
    std::string marked;
    marked.reserve(text.size() + text.size() / 2);
    for (const char c : text) {
        if (c == ' ')
            marked += space_mark;
        else
            marked += c;
    }
    return marked;
}

std::string with_spaces(std::string text) {
    for (auto at = text.find(space_mark); at != text.npos; at = text.find(space_mark, at + 1))
        text.replace(at, space_mark.size(), " ");
    return text;
}

// "<0xE2>" to 0xE2; -1 when it is not written so.
int byte_of(const std::string& token) {
    const auto digit = [](char c) {
        if (c >= '0' && c <= '9') return c - '0';
        return c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return -1;
    const int high = digit(token[3]), low = digit(token[4]);
    return high < 0 || low < 0 ? -1 : 16 * high + low;
}

// A word begins inside the token: a mark after something else.
bool reaches_over_words(std::string_view token) {
    bool other = false;
    for (std::size_t at = 0; at < token.size(); at += character_at(token, at)) {
        const bool mark = token.substr(at).starts_with(space_mark);
        if (mark && other) return true;
        other = other || !mark;
    }
    return false;
}

Result<void> check_scores(const TokenizerSpec& spec) {
    if (!spec.merges.empty() && spec.model != "t5") return {};
    if (spec.scores.size() != spec.tokens.size())
        return Error{"the tokenizer lists " + std::to_string(spec.tokens.size()) + " tokens but " +
                     std::to_string(spec.scores.size()) + " scores; the model file is damaged"};
    for (std::size_t i = 0; i < spec.scores.size(); ++i)
        if (std::isnan(spec.scores[i]))
            return Error{"the score of token " + std::to_string(i) +
                         " is no number; the model file is damaged"};
    return {};
}

// (token) how many distinct scores are better.
std::vector<std::uint32_t> rank_scores(const std::vector<double>& scores) {
    auto distinct = scores;
    std::sort(distinct.begin(), distinct.end(), std::greater<>());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::uint32_t> ranks;
    ranks.reserve(scores.size());
    for (const double score : scores)
        ranks.push_back(static_cast<std::uint32_t>(
            std::lower_bound(distinct.begin(), distinct.end(), score, std::greater<>()) - distinct.begin()));
    return ranks;
}

} // namespace

Result<std::shared_ptr<const Tokenizer>> SentencePiece::make(TokenizerSpec spec) {
    PERMAFROST_CHECK(check_spec(spec));
    PERMAFROST_CHECK(check_scores(spec));
    const std::shared_ptr<SentencePiece> made(new SentencePiece(spec));
    if (spec.model == "t5")
        made->read_unigram(spec);
    else
        PERMAFROST_CHECK(made->read_merges(spec));
    return std::shared_ptr<const Tokenizer>(made);
}

SentencePiece::SentencePiece(const TokenizerSpec& spec)
    : unknown_(spec.unknown), bos_(spec.bos), eos_(spec.eos), adds_bos_(spec.add_bos),
      adds_eos_(spec.add_eos), space_prefix_(spec.space_prefix) {
    byte_ids_.fill(-1);
    bytes_.reserve(spec.tokens.size());
    for (std::size_t i = 0; i < spec.tokens.size(); ++i) {
        const auto& token = spec.tokens[i];
        const auto id = static_cast<TokenId>(i);
        const auto type = spec.types.empty() ? Type::Normal : spec.types[i];
        const int byte = type == Type::Byte ? byte_of(token) : -1;
        if (byte >= 0) {
            byte_ids_[static_cast<std::size_t>(byte)] = id;
            bytes_.emplace_back(1, static_cast<char>(byte));
            continue;
        }
        const bool special = type == Type::Control || type == Type::Unknown || type == Type::UserDefined;
        bytes_.push_back(special && type != Type::UserDefined ? token : with_spaces(token));
        if (special) specials_.push_back({token, id, type != Type::UserDefined});
        // Listed merges may lead to any token, as Gemma's do to runs of spaces, which are user-defined.
        const bool merges = type == Type::Normal || (special && !spec.merges.empty());
        if (merges && !token.empty()) symbols_.emplace(token, id); // of equal tokens the first
    }
    for (auto& special : specials_) {
        const auto is_in = [&](const std::vector<TokenId>& tokens) {
            return std::find(tokens.begin(), tokens.end(), special.id) != tokens.end();
        };
        special.strips_left = is_in(spec.strip_left);
        special.strips_right = is_in(spec.strip_right);
    }
    index_specials();
}

void SentencePiece::index_specials() {
    std::erase_if(specials_, [](const auto& special) { return special.text.empty(); });
    std::stable_sort(specials_.begin(), specials_.end(),
                     [](const auto& a, const auto& b) { return a.text < b.text; });
    for (const auto& special : specials_)
        ++specials_of_byte_[static_cast<std::size_t>(static_cast<std::uint8_t>(special.text[0])) + 1];
    for (std::size_t byte = 1; byte < specials_of_byte_.size(); ++byte)
        specials_of_byte_[byte] += specials_of_byte_[byte - 1];
}

void SentencePiece::read_unigram(const TokenizerSpec& spec) {
    std::vector<Unigram::Entry> entries;
    for (const auto& [token, id] : symbols_) {
        entries.push_back({token, id, spec.scores[static_cast<std::size_t>(id)]});
        words_are_apart_ = words_are_apart_ && !reaches_over_words(token);
    }
    // Otherwise the mark is unknown, and unknown characters before it become one with it.
    words_are_apart_ = words_are_apart_ && symbols_.contains(space_mark);
    unigram_ = std::make_unique<const Unigram>(std::move(entries));
}

Result<void> SentencePiece::read_merges(const TokenizerSpec& spec) {
    const auto vocabulary = static_cast<TokenId>(spec.tokens.size());
    std::vector<std::pair<std::string_view, TokenId>> tokens; // by id, not in the order of a hash table
    for (std::size_t i = 0; i < spec.tokens.size(); ++i) {
        const auto found = symbols_.find(spec.tokens[i]);
        if (found != symbols_.end() && found->second == static_cast<TokenId>(i))
            tokens.emplace_back(spec.tokens[i], found->second);
    }
    const auto make_symbol = [&](std::string_view character) {
        if (symbols_.contains(character)) return;
        symbols_.emplace(character, vocabulary + static_cast<TokenId>(characters_.size()));
        characters_.emplace_back(character);
    };
    for (const auto& [token, id] : tokens) {
        words_are_apart_ = words_are_apart_ && !reaches_over_words(token);
        for (std::size_t at = 0; at < token.size();) {
            const auto length = character_at(token, at);
            make_symbol(token.substr(at, length));
            at += length;
        }
    }
    if (!spec.merges.empty()) return read_listed_merges(spec.merges);

    std::vector<MergeTable::Merge> merges;
    const auto ranks = rank_scores(spec.scores);
    for (const auto& [token, id] : tokens) {
        const auto rank = ranks[static_cast<std::size_t>(id)];
        for (std::size_t at = character_at(token, 0); at < token.size(); at += character_at(token, at)) {
            const auto left = symbols_.find(token.substr(0, at));
            if (left == symbols_.end()) continue;
            const auto right = symbols_.find(token.substr(at));
            if (right != symbols_.end()) merges.push_back({left->second, right->second, id, rank});
        }
    }
    merges_ = MergeTable(merges.size());
    for (const auto& merge : merges) merges_.insert(merge);
    return {};
}

// Pairs in the order of their training, as Hugging Face's files have them.
Result<void> SentencePiece::read_listed_merges(const std::vector<std::string>& merges) {
    merges_ = MergeTable(merges.size());
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const auto gap = merges[i].find(' ', 1);
        const auto fails = [&](const std::string& why) {
            return Error{"merge " + std::to_string(i) + " of the tokenizer, \"" + merges[i].substr(0, 100) +
                         "\", " + why + "; the model file is damaged"};
        };
        if (gap == std::string::npos || gap + 1 == merges[i].size()) return fails("is not two tokens");
        const auto left = symbols_.find(merges[i].substr(0, gap));
        const auto right = symbols_.find(merges[i].substr(gap + 1));
        const auto merged = symbols_.find(merges[i].substr(0, gap) + merges[i].substr(gap + 1));
        if (left == symbols_.end() || right == symbols_.end() || merged == symbols_.end())
            return fails("needs a token that does not exist");
        merges_.insert({left->second, right->second, merged->second, static_cast<std::uint32_t>(i)});
    }
    return {};
}

const SentencePiece::Special* SentencePiece::special_at(std::string_view text, bool parse_special) const {
    const auto byte = static_cast<std::size_t>(static_cast<std::uint8_t>(text[0]));
    auto first = specials_.begin() + static_cast<std::ptrdiff_t>(specials_of_byte_[byte]);
    auto last = specials_.begin() + static_cast<std::ptrdiff_t>(specials_of_byte_[byte + 1]);
    const Special* longest = nullptr;
    // The range of those that agree with the text so far, one byte more each time.
    for (std::size_t length = 1; first != last; ++length) {
        if (first->text.size() == length) {
            if (parse_special || !first->on_request) longest = &*first;
            while (first != last && first->text.size() == length) ++first; // equal texts: the first counts
        }
        if (length == text.size()) break;
        const auto next = static_cast<std::uint8_t>(text[length]);
        const auto at = [&](const Special& special) {
            return static_cast<std::uint8_t>(special.text[length]);
        };
        first = std::partition_point(first, last, [&](const auto& special) { return at(special) < next; });
        last = std::partition_point(first, last, [&](const auto& special) { return at(special) == next; });
    }
    return longest;
}

bool SentencePiece::wants_space(std::string_view part, bool at_beginning) const {
    using Prefix = TokenizerSpec::SpacePrefix;
    if (space_prefix_ == Prefix::Never || space_prefix_ == Prefix::Always)
        return space_prefix_ == Prefix::Always;
    if (part.starts_with(' ') || part.starts_with(space_mark)) return false;
    return space_prefix_ == Prefix::UnlessThere || at_beginning;
}

std::vector<TokenId> SentencePiece::encode(std::string_view text, bool parse_special) const {
    std::vector<TokenId> ids;
    ids.reserve(text.size() / 4);
    Merger merger(merges_);
    bool at_beginning = true; // no token before
    const auto flush = [&](std::string_view part) {
        if (part.empty()) return;
        // The cache refers to the text it was filled from.
        const auto marked =
            with_space_marks(wants_space(part, at_beginning) ? " " + std::string(part) : part);
        PieceCache cache(marked.size());
        encode_ordinary(marked, cache, merger, ids);
    };
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto* special = special_at(text.substr(at), parse_special);
        if (!special) {
            ++at;
            continue;
        }
        auto part = text.substr(begin, at - begin);
        if (special->strips_left) part.remove_suffix(trailing_white_space(part));
        flush(part);
        ids.push_back(special->id);
        at_beginning = false;
        at += special->text.size();
        if (special->strips_right) at += leading_white_space(text.substr(at));
        begin = at;
    }
    flush(text.substr(begin));
    return ids;
}

void SentencePiece::encode_ordinary(const std::string& text, PieceCache& cache, Merger& merger,
                                    std::vector<TokenId>& ids) const {
    const std::string_view all = text;
    const auto next_word = [&](std::size_t from) {
        // Where a mark follows something else.
        auto at = all.find_first_not_of(space_mark, from);
        return at == all.npos ? all.size() : std::min(all.find(space_mark, at), all.size());
    };
    for (std::size_t begin = 0; begin < all.size();) {
        auto end = words_are_apart_ ? next_word(begin) : all.size();
        if (end - begin > longest_piece) {
            end = begin + longest_piece;
            while (end < all.size() && (static_cast<std::uint8_t>(all[end]) & 0xc0) == 0x80) ++end;
        }
        const auto piece = all.substr(begin, end - begin);
        begin = end;
        cache.encode(piece, ids, [&](std::string_view part) { encode_piece(part, merger, ids); });
    }
}

void SentencePiece::encode_piece(std::string_view piece, Merger& merger, std::vector<TokenId>& ids) const {
    if (unigram_) return encode_by_unigram(piece, ids);
    std::vector<TokenId> symbols, merged;
    std::vector<std::string_view> unknown;
    for (std::size_t at = 0; at < piece.size();) {
        const auto character = piece.substr(at, character_at(piece, at));
        at += character.size();
        const auto found = symbols_.find(character);
        if (found != symbols_.end()) {
            symbols.push_back(found->second);
        } else {
            symbols.push_back(first_unknown + static_cast<TokenId>(unknown.size()));
            unknown.push_back(character);
        }
    }
    merger.merge(symbols, merged);
    const auto vocabulary = static_cast<TokenId>(bytes_.size());
    for (const auto id : merged) {
        if (id < vocabulary)
            ids.push_back(id);
        else if (id < first_unknown)
            add_bytes(characters_[static_cast<std::size_t>(id - vocabulary)], ids);
        else
            add_bytes(unknown[static_cast<std::size_t>(id - first_unknown)], ids);
    }
}

void SentencePiece::encode_by_unigram(std::string_view piece, std::vector<TokenId>& ids) const {
    for (const auto& part : unigram_->best_parts(piece)) {
        if (part.id >= 0)
            ids.push_back(part.id);
        else
            add_bytes(part.text, ids);
    }
}

void SentencePiece::add_bytes(std::string_view character, std::vector<TokenId>& ids) const {
    const bool all_known = std::all_of(character.begin(), character.end(), [&](char byte) {
        return byte_ids_[static_cast<std::uint8_t>(byte)] >= 0;
    });
    if (all_known)
        for (const char byte : character) ids.push_back(byte_ids_[static_cast<std::uint8_t>(byte)]);
    else if (unknown_)
        ids.push_back(*unknown_);
}

std::string SentencePiece::decode(std::span<const TokenId> ids) const {
    std::string text;
    for (const auto id : ids)
        if (id >= 0 && static_cast<std::size_t>(id) < bytes_.size())
            text += bytes_[static_cast<std::size_t>(id)];
    return text;
}

} // namespace permafrost::text
