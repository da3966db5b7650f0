// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace permafrost::text {

/// Texts repeat their words. While one text is encoded, this remembers where among the ids that are already
/// written those of a piece stand. It holds no text and no ids of its own, at most 2^15 places, and a new
/// piece takes over the place of an older one with the same hash.
class PieceCache {
  public:
    explicit PieceCache(std::size_t text_bytes)
        : entries_(std::bit_ceil(std::clamp<std::size_t>(text_bytes / 4, 1, max_entries))) {}

    /// Appends the ids of `piece` to `ids`: a copy of those that are there, or what `encode(piece)` appends.
    template <class Encode>
    void encode(std::string_view piece, std::vector<TokenId>& ids, Encode encode) {
        if (piece.size() > longest_piece) return encode(piece);
        auto& entry = entries_[std::hash<std::string_view>{}(piece) & (entries_.size() - 1)];
        if (entry.piece == piece) {
            for (std::size_t i = 0; i < entry.count; ++i) ids.push_back(ids[entry.first + i]);
            return;
        }
        const auto first = ids.size();
        encode(piece);
        entry = {piece, first, ids.size() - first};
    }

  private:
    struct Entry {
        std::string_view piece; ///< empty: unused
        std::size_t first = 0;
        std::size_t count = 0;
    };

    static constexpr std::size_t longest_piece = 256;
    static constexpr std::size_t max_entries = std::size_t{1} << 15;
    std::vector<Entry> entries_;
};

} // namespace permafrost::text
