// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/bitmask.h"

#include <algorithm>

namespace permafrost::masks {
namespace {

template <class Combine>
Bitmask combined(const Bitmask& a, const Bitmask& b, Combine combine) {
    Bitmask result(std::max(a.size(), b.size()));
    const auto byte_of = [](const Bitmask& mask, std::size_t i) {
        return i < mask.bytes().size() ? mask.bytes()[i] : std::uint8_t{0};
    };
    for (std::size_t i = 0; i < result.bytes().size(); ++i)
        result.bytes()[i] = static_cast<std::uint8_t>(combine(byte_of(a, i), byte_of(b, i)));
    return result;
}

} // namespace

Bitmask united(const Bitmask& a, const Bitmask& b) {
    return combined(a, b, [](int x, int y) { return x | y; });
}
Bitmask intersected(const Bitmask& a, const Bitmask& b) {
    return combined(a, b, [](int x, int y) { return x & y; });
}
Bitmask subtracted(const Bitmask& a, const Bitmask& b) {
    return combined(a, b, [](int x, int y) { return x & ~y; });
}

double jaccard(const Bitmask& a, const Bitmask& b) {
    const auto either = united(a, b).count();
    return either == 0 ? 1 : static_cast<double>(intersected(a, b).count()) / static_cast<double>(either);
}

} // namespace permafrost::masks
