// SPDX-License-Identifier: GPL-3.0-or-later
//
// Types whose four-bit quants choose one of 16 values; layouts in block_decoders.h.
#include "core/tensor/block_decoders.h"
#include "core/tensor/load.h"

#ifdef __SSSE3__
#include <tmmintrin.h>
#endif

namespace permafrost::tensor {
namespace {

// kvalues_iq4nl and kvalues_mxfp4 of ggml-common.h in llama.cpp; the second holds the E2M1 numbers, doubled.
alignas(16) constexpr std::int8_t iq4_values[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                    1,    13,   25,  38,  53,  69,  89,  113};
alignas(16) constexpr std::int8_t fp4_values[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// 32 values: those of the low nibbles of 16 bytes, then those of the high ones.
struct LookedUp {
    alignas(16) std::int8_t values[32];

    LookedUp(const std::byte* packed, const std::int8_t (&table)[16]) {
#ifdef __SSSE3__
        const auto all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(packed));
        const auto choices = _mm_load_si128(reinterpret_cast<const __m128i*>(table));
        const auto mask = _mm_set1_epi8(15);
        const auto low = _mm_shuffle_epi8(choices, _mm_and_si128(all, mask));
        const auto high = _mm_shuffle_epi8(choices, _mm_and_si128(_mm_srli_epi16(all, 4), mask));
        _mm_store_si128(reinterpret_cast<__m128i*>(values), low);
        _mm_store_si128(reinterpret_cast<__m128i*>(values + 16), high);
#else
        for (int j = 0; j < 16; ++j) {
            const auto both = std::to_integer<unsigned>(packed[j]);
            values[j] = table[both & 15];
            values[j + 16] = table[both >> 4];
        }
#endif
    }
};

void write_scaled(const LookedUp& group, float scale, float* __restrict out) {
    for (int j = 0; j < 32; ++j) out[j] = scale * static_cast<float>(group.values[j]);
}

// 2^(e - 128): half of the E8M0 scale, since the values are doubled. The two smallest are denormal numbers.
float half_of_e8m0(std::uint8_t e) {
    const std::uint32_t bits =
        e < 2 ? std::uint32_t{0x00200000} << e : static_cast<std::uint32_t>(e - 1) << 23;
    return std::bit_cast<float>(bits);
}

} // namespace

void decode_iq4_nl(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 18, out += 32)
        write_scaled(LookedUp(bytes + 2, iq4_values), load_half(bytes), out);
}

void decode_iq4_xs(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 136) {
        const float d = load_half(bytes);
        const auto upper = load<std::uint16_t>(bytes + 2);
        const auto lower = load<std::uint32_t>(bytes + 4);
        for (unsigned g = 0; g < 8; ++g, out += 32) {
            const auto scale = static_cast<int>((lower >> 4 * g & 15) | (upper >> 2 * g & 3u) << 4) - 32;
            write_scaled(LookedUp(bytes + 8 + 16 * g, iq4_values), d * static_cast<float>(scale), out);
        }
    }
}

void decode_mxfp4(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 17, out += 32)
        write_scaled(LookedUp(bytes + 1, fp4_values), half_of_e8m0(load<std::uint8_t>(bytes)), out);
}

} // namespace permafrost::tensor
