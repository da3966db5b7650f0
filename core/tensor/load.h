// SPDX-License-Identifier: GPL-3.0-or-later
//
// What block decoders read with: blocks lie at any address, so that everything is copied out first.
#pragma once

#include "core/tensor/half.h"

#include <cstddef>
#include <cstring>

namespace permafrost::tensor {

template <class T>
T load(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

inline float load_half(const std::byte* bytes) { return half_to_float_inline(load<std::uint16_t>(bytes)); }

} // namespace permafrost::tensor
