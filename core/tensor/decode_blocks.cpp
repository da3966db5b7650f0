// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plain values and blocks of 32. Each block is copied to local arrays first: the compiler then knows that
// nothing overlaps the output and vectorises the loops.
#include "core/tensor/block_decoders.h"
#include "core/tensor/load.h"

namespace permafrost::tensor {
namespace {

constexpr int half_block = 16;

struct Nibbles {
    std::uint8_t packed[half_block];
    explicit Nibbles(const std::byte* bytes) { std::memcpy(packed, bytes, sizeof packed); }
    int low(int j) const { return packed[j] & 0x0f; }
    int high(int j) const { return packed[j] >> 4; }
};

// Bit 4 of element j and of element j + 16.
int fifth_low(std::uint32_t bits, int j) { return static_cast<int>((bits >> j) & 1u) << 4; }
int fifth_high(std::uint32_t bits, int j) { return static_cast<int>((bits >> (j + half_block)) & 1u) << 4; }

} // namespace

void decode_f32(const std::byte* bytes, float* out, std::uint64_t blocks) {
    if (blocks != 0) std::memcpy(out, bytes, blocks * sizeof(float));
}

void decode_f16(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    std::uint64_t i = 0;
#if defined(__F16C__) && defined(__AVX__)
    for (; i + 8 <= blocks; i += 8) {
        const auto halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 2 * i));
        _mm256_storeu_ps(out + i, _mm256_cvtph_ps(halves));
    }
#endif
    for (; i < blocks; ++i) out[i] = load_half(bytes + 2 * i);
}

void decode_bf16(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t i = 0; i < blocks; ++i)
        out[i] = std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(bytes + 2 * i)} << 16);
}

void decode_q4_0(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 18, out += 32) {
        const float d = load_half(bytes);
        const Nibbles nibbles(bytes + 2);
        for (int j = 0; j < half_block; ++j) out[j] = static_cast<float>(nibbles.low(j) - 8) * d;
        for (int j = 0; j < half_block; ++j)
            out[j + half_block] = static_cast<float>(nibbles.high(j) - 8) * d;
    }
}

void decode_q4_1(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 20, out += 32) {
        const float d = load_half(bytes);
        const float m = load_half(bytes + 2);
        const Nibbles nibbles(bytes + 4);
        for (int j = 0; j < half_block; ++j) out[j] = static_cast<float>(nibbles.low(j)) * d + m;
        for (int j = 0; j < half_block; ++j)
            out[j + half_block] = static_cast<float>(nibbles.high(j)) * d + m;
    }
}

void decode_q5_0(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 22, out += 32) {
        const float d = load_half(bytes);
        const auto bits = load<std::uint32_t>(bytes + 2);
        const Nibbles nibbles(bytes + 6);
        for (int j = 0; j < half_block; ++j)
            out[j] = static_cast<float>((nibbles.low(j) | fifth_low(bits, j)) - 16) * d;
        for (int j = 0; j < half_block; ++j)
            out[j + half_block] = static_cast<float>((nibbles.high(j) | fifth_high(bits, j)) - 16) * d;
    }
}

void decode_q5_1(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 24, out += 32) {
        const float d = load_half(bytes);
        const float m = load_half(bytes + 2);
        const auto bits = load<std::uint32_t>(bytes + 4);
        const Nibbles nibbles(bytes + 8);
        for (int j = 0; j < half_block; ++j)
            out[j] = static_cast<float>(nibbles.low(j) | fifth_low(bits, j)) * d + m;
        for (int j = 0; j < half_block; ++j)
            out[j + half_block] = static_cast<float>(nibbles.high(j) | fifth_high(bits, j)) * d + m;
    }
}

void decode_q8_0(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 34, out += 32) {
        const float d = load_half(bytes);
        std::int8_t quants[32];
        std::memcpy(quants, bytes + 2, sizeof quants);
        for (int j = 0; j < 32; ++j) out[j] = static_cast<float>(quants[j]) * d;
    }
}

} // namespace permafrost::tensor
