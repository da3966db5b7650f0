// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace permafrost::tensor {

/// IEEE half precision to f32 without the processor's own instruction; exact, compiles to a branch-free
/// sequence that vectorises, and does not depend on whether the processor flushes denormal numbers.
inline float half_to_float_portable(std::uint16_t half) {
    const std::uint32_t exponent = (half >> 10) & 0x1fu;
    const std::uint32_t mantissa = half & 0x3ffu;
    const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
    const auto denormal = std::bit_cast<std::uint32_t>(static_cast<float>(mantissa) * 0x1p-24f);
    const std::uint32_t quiet = mantissa != 0 ? 0x00400000u : 0u;
    const std::uint32_t special = 0x7f800000u | (mantissa << 13) | quiet;
    const std::uint32_t normal = ((exponent + 112u) << 23) | (mantissa << 13);
    const std::uint32_t magnitude = exponent == 0 ? denormal : exponent == 31 ? special : normal;
    return std::bit_cast<float>(sign | magnitude);
}

inline float half_to_float_inline(std::uint16_t half) {
#ifdef __F16C__
    return _cvtsh_ss(half);
#else
    return half_to_float_portable(half);
#endif
}

} // namespace permafrost::tensor
