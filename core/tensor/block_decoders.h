// SPDX-License-Identifier: GPL-3.0-or-later
//
// One decoder a type, used through the table in element_type.cpp. All sizes in bytes; f16 is IEEE half,
// little-endian.
//
//   F32 F16 BF16   plain values
//   Q4_0  32 elements: f16 d, 16 low/high nibbles                             x = d * (q - 8)
//   Q4_1  32 elements: f16 d, f16 m, 16 nibbles                               x = d * q + m
//   Q5_0  32 elements: f16 d, u32 fifth bits, 16 nibbles                      x = d * (q - 16)
//   Q5_1  32 elements: f16 d, f16 m, u32 fifth bits, 16 nibbles               x = d * q + m
//         byte j holds element j in its low and element j + 16 in its high nibble; bit i of the u32 belongs
//         to element i
//   Q8_0  32 elements: f16 d, 32 signed bytes                                 x = d * q
//   Q4_K  256 elements: f16 d, f16 dmin, 12 packed scales, 128 nibbles        x = d * scale * q - dmin * min
//   Q5_K  256 elements: f16 d, f16 dmin, 12 packed scales, 32 fifth bits, 128 nibbles, as Q4_K
//         8 groups of 32; 6-bit scale and min of group g are packed as unpack_scales() in decode_k_blocks.cpp
//         says; 32 bytes of nibbles hold groups 2k (low) and 2k + 1 (high); bit g of byte l is the fifth bit
//         of element l of group g
//   Q6_K  256 elements: 128 low nibbles, 64 upper bit pairs, 16 signed scales, f16 d        x = d * scale *
//   (q - 32)
//         2 halves of 128 = 4 runs of 32, two scales a run; see decode_q6_k()
//
// Why the results do not depend on the compiler: a half has 11 significant bits, scales 6 and quants at most
// 5, so every product before an addition is exact in f32. Each element is rounded once, whether or not the
// multiplication and the addition are contracted to one instruction, and equals ggml's dequantize_row_* for
// that reason. Q6_K rounds once too: d * scale is exact (19 bits) and the product with the quant is the only
// rounding.
#pragma once

#include <cstddef>
#include <cstdint>

namespace permafrost::tensor {

void decode_f32(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_f16(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_bf16(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q4_0(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q4_1(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q5_0(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q5_1(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q8_0(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q4_k(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q5_k(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q6_k(const std::byte* bytes, float* out, std::uint64_t blocks);

} // namespace permafrost::tensor
