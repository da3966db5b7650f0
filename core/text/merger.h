// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/merge_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace permafrost::text {

/// Byte-pair encoding of one piece after another: always the merge of the lowest rank, of equals the
/// leftmost, until none is left. n symbols take n log n steps. Keeps its memory between pieces, so each
/// thread needs its own.
class Merger {
  public:
    /// `table` must outlive the merger.
    explicit Merger(const MergeTable& table) : table_(table) {}

    /// Appends the ids that `symbols` merge into. A negative symbol stands for bytes that have no token: it
    /// merges with nothing and is left out. At most 2^32 - 2 symbols.
    void merge(std::span<const TokenId> symbols, std::vector<TokenId>& ids);

  private:
    struct Symbol {
        TokenId id;
        std::uint32_t previous;
        std::uint32_t next;
    };
    const MergeTable::Merge* candidate(std::uint32_t left) const;
    void offer(std::uint32_t left);
    void join(std::uint32_t left, TokenId merged);

    const MergeTable& table_;
    std::vector<Symbol> symbols_; ///< a linked list in place; a symbol joined to its left neighbour has id -1
    std::vector<std::uint64_t> queue_; ///< a heap of rank * 2^32 + left, least first
};

} // namespace permafrost::text
