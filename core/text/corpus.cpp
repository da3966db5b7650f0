// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/corpus.h"

#include "core/base/hash.h"

#include <algorithm>

namespace permafrost::text {
namespace {

std::optional<TokenId> leading_token(const Tokenizer& tokenizer) {
    return tokenizer.adds_bos() ? tokenizer.bos() : std::nullopt;
}

Result<void> check_context(std::uint32_t context) {
    if (context >= 2) return {};
    return Error{"a context of " + std::to_string(context) + " tokens is too short; give at least 2"};
}

template <class T>
void add_value(Sha256& hash, T value) {
    hash.add(bytes_of(std::span<const T>(&value, 1)));
}

// Each sequence as its length (u64) and its ids (i32), little-endian.
std::string hash_of(const std::vector<Sequence>& sequences) {
    Sha256 hash;
    for (const auto& sequence : sequences) {
        add_value(hash, std::uint64_t{sequence.tokens.size()});
        hash.add(bytes_of(std::span<const TokenId>(sequence.tokens)));
    }
    return hash.finish();
}

void finish(Corpus& corpus) {
    corpus.tokens = 0;
    for (const auto& sequence : corpus.sequences) corpus.tokens += sequence.tokens.size();
    corpus.sha256 = hash_of(corpus.sequences);
}

std::uint32_t domain_index(std::vector<std::string>& domains, const std::string& name) {
    const auto found = std::find(domains.begin(), domains.end(), name);
    const auto index = static_cast<std::uint32_t>(found - domains.begin());
    if (found == domains.end()) domains.push_back(name);
    return index;
}

std::optional<TokenId> last_token(const Tokenizer& tokenizer) {
    return tokenizer.adds_eos() ? tokenizer.eos() : std::nullopt;
}

// Each part begins with `lead`, since each is a sequence of its own.
void add_prompt(Corpus& corpus, std::span<const TokenId> ids, std::optional<TokenId> lead,
                std::uint32_t context, std::uint32_t domain, std::uint64_t prompt) {
    const std::size_t room = context - (lead ? 1u : 0u);
    for (std::size_t begin = 0; begin < ids.size(); begin += room) {
        const auto part = ids.subspan(begin, std::min(room, ids.size() - begin));
        Sequence sequence{{}, domain, prompt};
        sequence.tokens.reserve(part.size() + 1);
        if (lead) sequence.tokens.push_back(*lead);
        sequence.tokens.insert(sequence.tokens.end(), part.begin(), part.end());
        corpus.sequences.push_back(std::move(sequence));
    }
}

} // namespace

Result<Corpus> cut_text(const Tokenizer& tokenizer, std::string_view text, std::uint32_t context,
                        bool parse_special) {
    PERMAFROST_CHECK(check_context(context));
    const auto lead = leading_token(tokenizer);
    auto ids = tokenizer.encode(text, parse_special);
    if (lead) ids.insert(ids.begin(), *lead);
    if (const auto last = last_token(tokenizer)) ids.push_back(*last);
    const std::size_t windows = ids.size() / context;
    if (windows == 0)
        return Error{"the text has " + std::to_string(ids.size()) + " tokens, fewer than one window of " +
                     std::to_string(context) + "; give a longer text or a shorter context"};
    Corpus corpus;
    corpus.domains = {""};
    corpus.dropped_tokens = ids.size() % context;
    corpus.sequences.reserve(windows);
    for (std::size_t window = 0; window < windows; ++window) {
        const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(window * context);
        corpus.sequences.push_back({{begin, begin + context}, 0, window});
        if (lead) corpus.sequences.back().tokens.front() = *lead;
    }
    finish(corpus);
    return corpus;
}

Result<Corpus> cut_prompts(const Tokenizer& tokenizer, const std::vector<Prompt>& prompts,
                           std::uint32_t context, const std::stop_token& stop, bool parse_special) {
    PERMAFROST_CHECK(check_context(context));
    const auto lead = leading_token(tokenizer);
    Corpus corpus;
    std::uint64_t index = 0;
    for (const auto& prompt : prompts) {
        const auto number = index++;
        if (stop.stop_requested()) return Cancelled{};
        auto encoded = tokenizer.encode(prompt.text, parse_special);
        if (lead && !encoded.empty() && encoded.front() == *lead) encoded.erase(encoded.begin());
        if (encoded.empty()) continue;
        const auto last = last_token(tokenizer);
        if (last && encoded.back() != *last) encoded.push_back(*last);
        const std::span<const TokenId> ids(encoded);
        add_prompt(corpus, ids, lead, context, domain_index(corpus.domains, prompt.domain), number);
    }
    if (corpus.sequences.empty()) return Error{"there is nothing to tokenise: the prompts are empty"};
    finish(corpus);
    return corpus;
}

Corpus chosen_sequences(const Corpus& corpus, std::span<const std::size_t> sequences) {
    Corpus chosen;
    chosen.domains = corpus.domains;
    chosen.dropped_tokens = corpus.dropped_tokens;
    for (const auto index : sequences) chosen.sequences.push_back(corpus.sequences[index]);
    finish(chosen);
    return chosen;
}

} // namespace permafrost::text
