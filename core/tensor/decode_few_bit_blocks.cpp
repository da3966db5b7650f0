// SPDX-License-Identifier: GPL-3.0-or-later
//
// Types of one or two bits an element without a table of values; layouts in block_decoders.h.
#include "core/tensor/block_decoders.h"
#include "core/tensor/load.h"

namespace permafrost::tensor {
namespace {

// A byte holds five digits in base 3 as a fraction of 256: multiplied by 3^n (modulo 256) its leading digit is the n-th,
// and the leading digit is the upper byte of three times the fraction.
template <int count>
void write_digits(const std::byte* bytes, int digits, float d, float* __restrict out) {
    std::uint8_t packed[count];
    std::memcpy(packed, bytes, sizeof packed);
    for (int n = 0; n < digits; ++n, out += count)
        for (int j = 0; j < count; ++j) {
            out[j] = static_cast<float>((packed[j] * 3 >> 8) - 1) * d;
            packed[j] = static_cast<std::uint8_t>(packed[j] * 3);
        }
}

} // namespace

void decode_tq1_0(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 54, out += 256) {
        const float d = load_half(bytes + 52);
        write_digits<32>(bytes, 5, d, out);
        write_digits<16>(bytes + 32, 5, d, out + 160);
        write_digits<4>(bytes + 48, 4, d, out + 240);
    }
}

void decode_tq2_0(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 66) {
        const float d = load_half(bytes + 64);
        for (int half = 0; half < 2; ++half) {
            std::uint8_t packed[32];
            std::memcpy(packed, bytes + 32 * half, sizeof packed);
            for (int run = 0; run < 4; ++run, out += 32)
                for (int l = 0; l < 32; ++l)
                    out[l] = static_cast<float>(((packed[l] >> (2 * run)) & 3) - 1) * d;
        }
    }
}

void decode_q1_0(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 18) {
        const float d = load_half(bytes);
        for (int word = 0; word < 4; ++word, out += 32) {
            const auto bits = load<std::uint32_t>(bytes + 2 + 4 * word);
            for (int l = 0; l < 32; ++l) out[l] = (bits >> l & 1) != 0 ? d : -d;
        }
    }
}

void decode_q2_0(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 18) {
        const float d = load_half(bytes);
        for (int word = 0; word < 4; ++word, out += 16) {
            const auto bits = load<std::uint32_t>(bytes + 2 + 4 * word);
            for (int l = 0; l < 16; ++l)
                out[l] = static_cast<float>(static_cast<int>(bits >> (2 * l) & 3) - 1) * d;
        }
    }
}

} // namespace permafrost::tensor
