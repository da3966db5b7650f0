// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/corpus.h"

#include <cstdint>
#include <vector>

namespace permafrost::model {

/// A run of whole sequences whose tokens are rows of the same matrix products. How a corpus is cut into tiles depends on
/// the corpus and the context only, never on threads or shards, so every product keeps its shape and every row its bits.
struct Tile {
    struct Part {
        std::size_t sequence = 0;    ///< index into Corpus::sequences
        std::uint32_t first_row = 0; ///< rows first_row … first_row + length - 1
        std::uint32_t length = 0;
    };
    std::uint32_t index = 0;
    std::uint32_t tokens = 0; ///< rows that hold a token
    std::uint32_t rows = 0;   ///< tokens rounded up to a multiple of 16; the rest are zero
    std::vector<Part> parts;
};

/// Sequences in order, as many to a tile as fit in max(longest sequence, 256) rows.
std::vector<Tile> cut_tiles(const text::Corpus& corpus);

} // namespace permafrost::model
