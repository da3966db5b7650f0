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
//   Q2_K  256 elements: 16 bytes of 4-bit scales and mins, 64 bit pairs, f16 d, f16 dmin   x = d * scale * q - dmin * min
//   Q3_K  256 elements: 32 third bits, 64 bit pairs, 12 packed scales, f16 d          x = d * (scale - 32) * (q - 4)
//         16 groups of 16; the order of bits is told at decode_q2_k() and decode_q3_k()
//   IQ4_NL   32 elements: f16 d, 16 nibbles as in Q4_0                                x = d * iq4_values[q]
//   IQ4_XS  256 elements: f16 d, u16 upper scale bits (2 a group), u32 lower scale bits (4 a group), 8 groups of 32
//         as in IQ4_NL                                                                x = d * (scale - 32) * iq4_values[q]
//   MXFP4    32 elements: u8 exponent e, 16 nibbles as in Q4_0                         x = 2^(e - 128) * fp4_values[q]
//   TQ1_0   256 elements: 48 and 4 bytes of base-3 digits, f16 d                       x = d * (digit - 1)
//         digit n of byte j is element 32 n + j for bytes 0-31; 160 + 16 n + j - 32 for 32-47; 240 + 4 n + j - 48 after
//   TQ2_0   256 elements: 64 bytes of bit pairs in the order of Q2_K, f16 d            x = d * (q - 1)
//   Q1_0    128 elements: f16 d, 16 bytes of bits                                      x = d where the bit is set, else -d
//   Q2_0     64 elements: f16 d, 16 bytes of bit pairs                                 x = d * (q - 1)
// Types with a grid (grid_codes.h), 256 elements in 8 groups of 32, which are 4 rows of 8 elements (IQ3: of twice 4). Signs
// are one bit an element, or 7 bits for 8 elements whose count of minuses is even:
//   IQ2_XXS f16 d, 8 x (4 row numbers of 8 bits; u32: 4 x 7 signs, 4-bit scale)        x = d * (s + 1/2) / 4 * ±grid
//   IQ2_XS  f16 d, 32 x u16 (9-bit row number, 7 signs), 16 4-bit scales               likewise
//   IQ2_S   f16 d, 32 row numbers, 32 bytes of signs, 8 bytes of upper bit pairs of the row numbers, 16 4-bit scales
//   IQ3_XXS f16 d, 64 row numbers, 8 x u32 (4 x 7 signs, 4-bit scale)                  x = d * (s + 1/2) / 2 * ±grid
//   IQ3_S   f16 d, 64 row numbers, 8 bytes of their ninth bits, 32 bytes of signs, 8 4-bit scales
//                                                                                      x = d * (2 s + 1) * ±grid
//   IQ1_S   f16 d, 32 row numbers, 8 x u16 (4 x 3 upper bits, 3-bit scale, 1 bit: down) x = d * (2 s + 1) * (grid ± 1/8)
//   IQ1_M   32 row numbers, 16 bytes of (3 upper bits, 1 bit: down) for two rows, 4 x u16 (4 x 3-bit scales, a nibble of
//         the f16 d)                                                                   likewise, a scale for two rows
//
// Why the results do not depend on the compiler: a half has 11 significant bits, scales 6 and quants at most
// 5, so every product before an addition is exact in f32. Each element is rounded once, whether or not the
// multiplication and the addition are contracted to one instruction, and equals ggml's dequantize_row_* for
// that reason. Q6_K rounds once too: d * scale is exact (19 bits) and the product with the quant is the only
// rounding. Of the later types only Q2_K rounds, once, at its subtraction; all products of the others have at most 22
// significant bits.
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
void decode_q2_k(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q3_k(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q4_k(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q5_k(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q6_k(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_iq1_s(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_iq1_m(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_iq2_xxs(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_iq2_xs(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_iq2_s(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_iq3_xxs(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_iq3_s(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_iq4_nl(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_iq4_xs(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_tq1_0(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_tq2_0(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_mxfp4(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q1_0(const std::byte* bytes, float* out, std::uint64_t blocks);
void decode_q2_0(const std::byte* bytes, float* out, std::uint64_t blocks);

} // namespace permafrost::tensor
