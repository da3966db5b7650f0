// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/merger.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace permafrost::text {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

} // namespace

const MergeTable::Merge* Merger::candidate(std::uint32_t left) const {
    if (left == none || symbols_[left].next == none) return nullptr;
    return table_.find(symbols_[left].id, symbols_[symbols_[left].next].id);
}

void Merger::offer(std::uint32_t left) {
    const auto* merge = candidate(left);
    if (merge == nullptr) return;
    queue_.push_back((std::uint64_t{merge->rank} << 32) | left);
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

void Merger::join(std::uint32_t left, TokenId merged) {
    auto& symbol = symbols_[left];
    auto& right = symbols_[symbol.next];
    symbol.id = merged;
    right.id = -1;
    symbol.next = right.next;
    if (symbol.next != none) symbols_[symbol.next].previous = left;
}

void Merger::merge(std::span<const TokenId> symbols, std::vector<TokenId>& ids) {
    const auto count = static_cast<std::uint32_t>(symbols.size());
    symbols_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i)
        symbols_[i] = {symbols[i], i == 0 ? none : i - 1, i + 1 == count ? none : i + 1};
    queue_.clear();
    for (std::uint32_t i = 0; i < count; ++i) offer(i);

    while (!queue_.empty()) {
        const auto best = queue_.front();
        std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
        queue_.pop_back();
        const auto left = static_cast<std::uint32_t>(best);
        // A rank belongs to one pair: if the pair at this place has another by now, the entry is out of date.
        const auto* merge = candidate(left);
        if (merge == nullptr || merge->rank != best >> 32) continue;
        join(left, merge->merged);
        offer(symbols_[left].previous);
        offer(left);
    }
    for (std::uint32_t i = 0; i < count; i = symbols_[i].next) {
        if (symbols_[i].id >= 0) ids.push_back(symbols_[i].id);
        if (symbols_[i].next == none) break;
    }
}

} // namespace permafrost::text
