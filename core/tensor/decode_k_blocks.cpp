// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blocks of 256, the "K" types; layouts in block_decoders.h.
#include "core/tensor/block_decoders.h"
#include "core/tensor/load.h"

namespace permafrost::tensor {
namespace {

// What the 8 groups of a Q4_K or Q5_K block are multiplied with and lowered by.
struct GroupScales {
    float scale[8];
    float offset[8];
};

// 12 bytes: bytes 0-3 hold the low 6 bits of scales 0-3, bytes 4-7 those of mins 0-3, bytes 8-11 the low 4
// bits of scale (low nibble) and min (high nibble) 4-7, whose upper 2 bits are the top bits of bytes 0-3 and
// 4-7.
GroupScales unpack_scales(const std::byte* bytes, float d, float dmin) {
    std::uint8_t packed[12];
    std::memcpy(packed, bytes, sizeof packed);
    GroupScales groups;
    for (int g = 0; g < 4; ++g) {
        groups.scale[g] = d * static_cast<float>(packed[g] & 63);
        groups.offset[g] = dmin * static_cast<float>(packed[g + 4] & 63);
        groups.scale[g + 4] = d * static_cast<float>((packed[g + 8] & 15) | ((packed[g] >> 6) << 4));
        groups.offset[g + 4] = dmin * static_cast<float>((packed[g + 8] >> 4) | ((packed[g + 4] >> 6) << 4));
    }
    return groups;
}

} // namespace

// Group g of 16 elements has its scale in the low and its min in the high nibble of byte g. In each half of 128, run r
// of 32 elements takes bits 2r, 2r + 1 of the half's 32 bytes.
void decode_q2_k(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 84) {
        const float d = load_half(bytes + 80);
        const float dmin = load_half(bytes + 82);
        std::uint8_t groups[16];
        std::memcpy(groups, bytes, sizeof groups);
        for (int half = 0; half < 2; ++half) {
            std::uint8_t packed[32];
            std::memcpy(packed, bytes + 16 + 32 * half, sizeof packed);
            for (int run = 0; run < 4; ++run, out += 32)
                for (int part = 0; part < 2; ++part) {
                    const int group = groups[8 * half + 2 * run + part];
                    const float scale = d * static_cast<float>(group & 15);
                    const float offset = dmin * static_cast<float>(group >> 4);
                    for (int l = 16 * part; l < 16 * part + 16; ++l)
                        out[l] = scale * static_cast<float>((packed[l] >> (2 * run)) & 3) - offset;
                }
        }
    }
}

// Low two bits as in Q2_K; bit 4 * half + run of byte l is the third bit of element l of that run, and lowers the
// quant by 4 where it is NOT set. The 16 scales of 6 bits: low nibbles of bytes 0-7, then their high nibbles; the upper
// two bits of scale g are bits 2 * (g / 4) of byte 8 + g % 4.
void decode_q3_k(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 110) {
        const float d = load_half(bytes + 108);
        std::uint8_t third[32];
        std::uint8_t packed_scales[12];
        std::memcpy(third, bytes, sizeof third);
        std::memcpy(packed_scales, bytes + 96, sizeof packed_scales);
        float scales[16];
        for (int g = 0; g < 16; ++g) {
            const int low = (packed_scales[g % 8] >> (4 * (g / 8))) & 15;
            const int upper = (packed_scales[8 + g % 4] >> (2 * (g / 4))) & 3;
            scales[g] = d * static_cast<float>((low | upper << 4) - 32);
        }
        for (int half = 0; half < 2; ++half) {
            std::uint8_t packed[32];
            std::memcpy(packed, bytes + 32 + 32 * half, sizeof packed);
            for (int run = 0; run < 4; ++run, out += 32)
                for (int part = 0; part < 2; ++part) {
                    const float scale = scales[8 * half + 2 * run + part];
                    for (int l = 16 * part; l < 16 * part + 16; ++l) {
                        const int bit = (third[l] >> (4 * half + run)) & 1;
                        const int quant = ((packed[l] >> (2 * run)) & 3) | bit << 2;
                        out[l] = scale * static_cast<float>(quant - 4);
                    }
                }
        }
    }
}

void decode_q4_k(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 144) {
        const auto groups = unpack_scales(bytes + 4, load_half(bytes), load_half(bytes + 2));
        for (int pair = 0; pair < 4; ++pair, out += 64) {
            std::uint8_t packed[32];
            std::memcpy(packed, bytes + 16 + 32 * pair, sizeof packed);
            const float scale_low = groups.scale[2 * pair], offset_low = groups.offset[2 * pair];
            const float scale_high = groups.scale[2 * pair + 1], offset_high = groups.offset[2 * pair + 1];
            for (int l = 0; l < 32; ++l) out[l] = scale_low * static_cast<float>(packed[l] & 15) - offset_low;
            for (int l = 0; l < 32; ++l)
                out[l + 32] = scale_high * static_cast<float>(packed[l] >> 4) - offset_high;
        }
    }
}

void decode_q5_k(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 176) {
        const auto groups = unpack_scales(bytes + 4, load_half(bytes), load_half(bytes + 2));
        std::uint8_t fifth[32];
        std::memcpy(fifth, bytes + 16, sizeof fifth);
        for (int pair = 0; pair < 4; ++pair, out += 64) {
            std::uint8_t packed[32];
            std::memcpy(packed, bytes + 48 + 32 * pair, sizeof packed);
            const float scale_low = groups.scale[2 * pair], offset_low = groups.offset[2 * pair];
            const float scale_high = groups.scale[2 * pair + 1], offset_high = groups.offset[2 * pair + 1];
            for (int l = 0; l < 32; ++l) {
                const int quant = (packed[l] & 15) | (((fifth[l] >> (2 * pair)) & 1) << 4);
                out[l] = scale_low * static_cast<float>(quant) - offset_low;
            }
            for (int l = 0; l < 32; ++l) {
                const int quant = (packed[l] >> 4) | (((fifth[l] >> (2 * pair + 1)) & 1) << 4);
                out[l + 32] = scale_high * static_cast<float>(quant) - offset_high;
            }
        }
    }
}

// In each half of 128 elements, run r = 0 … 3 takes its low nibbles from bytes 32 * (r % 2) + l of the half's
// 64 (low nibbles for runs 0 and 1, high ones for 2 and 3) and its upper two bits from bits 2r, 2r + 1 of the
// half's byte l.
void decode_q6_k(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 210) {
        const float d = load_half(bytes + 208);
        std::int8_t scales[16];
        std::memcpy(scales, bytes + 192, sizeof scales);
        for (int half = 0; half < 2; ++half) {
            std::uint8_t low[64];
            std::uint8_t upper[32];
            std::memcpy(low, bytes + 64 * half, sizeof low);
            std::memcpy(upper, bytes + 128 + 32 * half, sizeof upper);
            for (int run = 0; run < 4; ++run, out += 32) {
                const std::uint8_t* nibbles = low + 32 * (run % 2);
                const int shift = 4 * (run / 2);
                const float scale[2] = {d * static_cast<float>(scales[8 * half + 2 * run]),
                                        d * static_cast<float>(scales[8 * half + 2 * run + 1])};
                for (int part = 0; part < 2; ++part)
                    for (int l = 16 * part; l < 16 * part + 16; ++l) {
                        const int quant = ((nibbles[l] >> shift) & 15) | (((upper[l] >> (2 * run)) & 3) << 4);
                        out[l] = scale[part] * static_cast<float>(quant - 32);
                    }
            }
        }
    }
}

} // namespace permafrost::tensor
