// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer.h"

#include <cstdint>
#include <vector>

namespace permafrost::text {

/// Which two neighbouring tokens become which one, and how early (rank 0 first). A hash table with open
/// addressing.
class MergeTable {
  public:
    struct Merge {
        TokenId left = -1;
        TokenId right = -1;
        TokenId merged = -1;
        std::uint32_t rank = 0;
    };

    MergeTable() = default;
    /// Room for `merges` entries, which must not be exceeded.
    explicit MergeTable(std::size_t merges);

    /// Of two merges of the same pair the first stays.
    void insert(const Merge& merge);
    /// Null when the pair does not merge; a negative id never does.
    const Merge* find(TokenId left, TokenId right) const;

  private:
    std::size_t slot(TokenId left, TokenId right) const;

    std::vector<Merge> slots_{1}; ///< a power of two, at most half in use; free where left is negative
};

} // namespace permafrost::text
