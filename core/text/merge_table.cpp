// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/merge_table.h"

#include <bit>

namespace permafrost::text {

MergeTable::MergeTable(std::size_t merges) : slots_(std::bit_ceil(2 * merges + 1)) {}

// The slot of the pair, or the free slot where it would go.
std::size_t MergeTable::slot(TokenId left, TokenId right) const {
    const auto key = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) |
                     static_cast<std::uint32_t>(right);
    const std::uint64_t mixed =
        key * 0x9E3779B97F4A7C15u; // 2^64 / golden ratio (Knuth's multiplicative hashing)
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (mixed ^ (mixed >> 32)) & mask;
    while (slots_[at].left >= 0 && (slots_[at].left != left || slots_[at].right != right))
        at = (at + 1) & mask;
    return at;
}

void MergeTable::insert(const Merge& merge) {
    auto& entry = slots_[slot(merge.left, merge.right)];
    if (entry.left < 0) entry = merge;
}

const MergeTable::Merge* MergeTable::find(TokenId left, TokenId right) const {
    if (left < 0 || right < 0) return nullptr;
    const auto& entry = slots_[slot(left, right)];
    return entry.left < 0 ? nullptr : &entry;
}

} // namespace permafrost::text
