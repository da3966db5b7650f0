// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"

#include <cstdint>
#include <random>
#include <string>

namespace permafrost::test {

/// Uniform in [0, 1), the same on every platform (distributions of <random> are not).
inline double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// Nearest IEEE half of a number in the range of normal halves.
std::uint16_t half_of(float number);

/// Bytes of `elements` values spread evenly over about [-scale, scale], stored as `type`. No quantiser is
/// involved: blocks get a fitting scale and random quants.
std::string random_tensor(tensor::ElementType type, std::uint64_t elements, float scale,
                          std::mt19937_64& random);

} // namespace permafrost::test
