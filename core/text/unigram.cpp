// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/unigram.h"

#include "core/text/utf8.h"

#include <algorithm>

namespace permafrost::text {
namespace {

constexpr double unknown_penalty = 10.0;

// The best way to a place in the piece.
struct Arrival {
    double score = 0;
    std::size_t from = 0;
    TokenId id = -1;
    bool reached = false;

    void offer(double other_score, std::size_t other_from, TokenId other_id) {
        if (reached && other_score <= score) return; // of equal ones the first
        *this = {other_score, other_from, other_id, true};
    }
};

} // namespace

Unigram::Unigram(std::vector<Entry> entries) : entries_(std::move(entries)) {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.text < b.text; });
    double worst = 0;
    for (const auto& entry : entries_) worst = std::min(worst, entry.score);
    unknown_score_ = worst - unknown_penalty;
}

std::vector<Unigram::Part> Unigram::best_parts(std::string_view piece) const {
    std::vector<Arrival> arrivals(piece.size() + 1);
    for (std::size_t at = 0; at < piece.size();) {
        const auto character = std::max<std::size_t>(1, character_length(piece, at));
        const double so_far = arrivals[at].score;
        bool alone = false;
        // The tokens that agree with the piece from here on, one byte more each time.
        auto first = entries_.begin(), last = entries_.end();
        for (std::size_t length = 1; first != last && at + length <= piece.size(); ++length) {
            const auto byte = static_cast<unsigned char>(piece[at + length - 1]);
            const auto byte_of = [&](const Entry& entry) {
                return static_cast<unsigned char>(entry.text[length - 1]);
            };
            first =
                std::partition_point(first, last, [&](const auto& entry) { return byte_of(entry) < byte; });
            last =
                std::partition_point(first, last, [&](const auto& entry) { return byte_of(entry) == byte; });
            if (first == last || first->text.size() != length) continue;
            arrivals[at + length].offer(so_far + first->score, at, first->id);
            alone = alone || length == character;
            ++first;
        }
        if (!alone) arrivals[at + character].offer(so_far + unknown_score_, at, -1);
        at += character;
    }
    std::vector<Part> parts;
    for (std::size_t end = piece.size(); end > 0;) {
        const auto& arrival = arrivals[end];
        const auto text = piece.substr(arrival.from, end - arrival.from);
        if (arrival.id < 0 && !parts.empty() && parts.back().id < 0)
            parts.back().text = piece.substr(arrival.from, text.size() + parts.back().text.size());
        else
            parts.push_back({text, arrival.id});
        end = arrival.from;
    }
    std::reverse(parts.begin(), parts.end());
    return parts;
}

} // namespace permafrost::text
