// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tile.h"

#include "core/base/bytes.h"

#include <algorithm>

namespace permafrost::model {

std::vector<Tile> cut_tiles(const text::Corpus& corpus) {
    constexpr std::size_t least_rows = 256;
    std::size_t capacity = least_rows;
    for (const auto& sequence : corpus.sequences) capacity = std::max(capacity, sequence.tokens.size());

    std::vector<Tile> tiles;
    for (std::size_t i = 0; i < corpus.sequences.size(); ++i) {
        const auto length = corpus.sequences[i].tokens.size();
        if (length == 0) continue;
        if (tiles.empty() || tiles.back().tokens + length > capacity) {
            tiles.emplace_back();
            tiles.back().index = static_cast<std::uint32_t>(tiles.size() - 1);
        }
        auto& tile = tiles.back();
        tile.parts.push_back({i, tile.tokens, static_cast<std::uint32_t>(length)});
        tile.tokens += static_cast<std::uint32_t>(length);
    }
    for (auto& tile : tiles) tile.rows = static_cast<std::uint32_t>(align_up(tile.tokens, 16));
    return tiles;
}

} // namespace permafrost::model
