// SPDX-License-Identifier: GPL-3.0-or-later
//
// Types whose quants choose a row of a grid: 8 (or 4) neighbouring elements at once. Layouts in block_decoders.h.
#include "core/tensor/block_decoders.h"
#include "core/tensor/grid_codes.h"
#include "core/tensor/load.h"

#include <array>

namespace permafrost::tensor {
namespace {

// A grid with a byte an element, element 0 lowest; Row is std::uint64_t for 8 elements and std::uint32_t for 4.
template <class Row, std::size_t entries, std::size_t choices>
constexpr std::array<Row, entries> unpack_grid(const std::uint16_t (&codes)[entries],
                                               const std::uint8_t (&values)[choices]) {
    constexpr unsigned digit_bits = 16 / sizeof(Row);
    std::array<Row, entries> rows{};
    for (std::size_t i = 0; i < entries; ++i)
        for (unsigned j = 0; j < sizeof(Row); ++j)
            rows[i] |= Row{values[codes[i] >> digit_bits * j & ((1u << digit_bits) - 1)]} << 8 * j;
    return rows;
}

constexpr std::uint8_t iq2_values[] = {8, 25, 43};
constexpr std::uint8_t iq3_xxs_values[] = {4, 12, 20, 28, 36, 44, 52, 62};
constexpr std::uint8_t iq3_s_values[] = {1, 3, 5, 7, 9, 11, 13, 15};
constexpr std::uint8_t iq1_values[] = {0xf8, 0, 8}; // -1, 0 and 1, as eighths

constexpr auto iq2_xxs_grid = unpack_grid<std::uint64_t>(iq2_xxs_codes, iq2_values);
constexpr auto iq2_xs_grid = unpack_grid<std::uint64_t>(iq2_xs_codes, iq2_values);
constexpr auto iq2_s_grid = unpack_grid<std::uint64_t>(iq2_s_codes, iq2_values);
constexpr auto iq3_xxs_grid = unpack_grid<std::uint32_t>(iq3_xxs_codes, iq3_xxs_values);
constexpr auto iq3_s_grid = unpack_grid<std::uint32_t>(iq3_s_codes, iq3_s_values);
constexpr auto iq1_grid = unpack_grid<std::uint64_t>(iq1_s_codes, iq1_values);

// 0xff in byte j where bit j of the index is set.
constexpr auto byte_masks = [] {
    std::array<std::uint64_t, 256> masks{};
    for (unsigned bits = 0; bits < 256; ++bits)
        for (unsigned j = 0; j < 8; ++j)
            if (bits >> j & 1u) masks[bits] |= std::uint64_t{0xff} << 8 * j;
    return masks;
}();

// The same for seven stored bits; the eighth makes the number of signs even.
constexpr auto even_masks = [] {
    std::array<std::uint64_t, 128> masks{};
    for (unsigned bits = 0; bits < 128; ++bits)
        masks[bits] = byte_masks[bits | static_cast<unsigned>(std::popcount(bits) & 1) << 7];
    return masks;
}();

// Changes the sign of bytes 1 … 127 under the mask; none of them is 0, so nothing carries into the next byte.
constexpr std::uint64_t with_signs(std::uint64_t bytes, std::uint64_t mask) {
    return (bytes ^ mask) + (mask & 0x0101010101010101u);
}

constexpr std::uint64_t join(std::uint32_t first, std::uint32_t second) {
    return first | std::uint64_t{second} << 32;
}

void write_eight(std::uint64_t bytes, float scale, float* __restrict out) {
    std::int8_t values[8];
    std::memcpy(values, &bytes, sizeof values);
    for (int j = 0; j < 8; ++j) out[j] = scale * static_cast<float>(values[j]);
}

// Each eighth of the grid is moved by one, up or down; `scale` is that of eighths.
void write_shifted(std::uint64_t bytes, bool down, float scale, float* __restrict out) {
    std::int8_t values[8];
    std::memcpy(values, &bytes, sizeof values);
    const int shift = down ? -1 : 1;
    for (int j = 0; j < 8; ++j) out[j] = scale * static_cast<float>(values[j] + shift);
}

// (s + 1/2) / 4 of the four-bit scale `s`.
float iq2_scale(float d, unsigned s) { return d * (static_cast<float>(s) + 0.5f) * 0.25f; }

} // namespace

void decode_iq2_xxs(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 66) {
        const float d = load_half(bytes);
        for (unsigned g = 0; g < 8; ++g) {
            const auto rows = load<std::uint32_t>(bytes + 2 + 8 * g);
            const auto signs = load<std::uint32_t>(bytes + 6 + 8 * g);
            const float scale = iq2_scale(d, signs >> 28);
            for (unsigned l = 0; l < 4; ++l, out += 8)
                write_eight(with_signs(iq2_xxs_grid[rows >> 8 * l & 255], even_masks[signs >> 7 * l & 127]),
                            scale, out);
        }
    }
}

void decode_iq2_xs(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 74) {
        const float d = load_half(bytes);
        for (unsigned pair = 0; pair < 16; ++pair) {
            const unsigned scales = load<std::uint8_t>(bytes + 66 + pair / 2);
            const float scale = iq2_scale(d, scales >> 4 * (pair % 2) & 15);
            for (unsigned l = 0; l < 2; ++l, out += 8) {
                const unsigned code = load<std::uint16_t>(bytes + 2 + 4 * pair + 2 * l);
                write_eight(with_signs(iq2_xs_grid[code & 511], even_masks[code >> 9]), scale, out);
            }
        }
    }
}

void decode_iq2_s(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 82) {
        const float d = load_half(bytes);
        for (unsigned g = 0; g < 8; ++g) {
            const auto rows = load<std::uint32_t>(bytes + 2 + 4 * g);
            const auto signs = load<std::uint32_t>(bytes + 34 + 4 * g);
            const unsigned upper = load<std::uint8_t>(bytes + 66 + g);
            const unsigned scales = load<std::uint8_t>(bytes + 74 + g);
            for (unsigned l = 0; l < 4; ++l, out += 8) {
                const unsigned row = (rows >> 8 * l & 255) | (upper >> 2 * l & 3) << 8;
                write_eight(with_signs(iq2_s_grid[row], byte_masks[signs >> 8 * l & 255]),
                            iq2_scale(d, scales >> 4 * (l / 2) & 15), out);
            }
        }
    }
}

void decode_iq3_xxs(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 98) {
        const float d = load_half(bytes);
        for (unsigned g = 0; g < 8; ++g) {
            const auto rows = load<std::uint64_t>(bytes + 2 + 8 * g);
            const auto signs = load<std::uint32_t>(bytes + 66 + 4 * g);
            const float scale = d * (static_cast<float>(signs >> 28) + 0.5f) * 0.5f;
            for (unsigned l = 0; l < 4; ++l, out += 8) {
                const auto eight =
                    join(iq3_xxs_grid[rows >> 16 * l & 255], iq3_xxs_grid[rows >> (16 * l + 8) & 255]);
                write_eight(with_signs(eight, even_masks[signs >> 7 * l & 127]), scale, out);
            }
        }
    }
}

void decode_iq3_s(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 110) {
        const float d = load_half(bytes);
        for (unsigned g = 0; g < 8; ++g) {
            const auto rows = load<std::uint64_t>(bytes + 2 + 8 * g);
            const unsigned upper = load<std::uint8_t>(bytes + 66 + g);
            const auto signs = load<std::uint32_t>(bytes + 74 + 4 * g);
            const unsigned scales = load<std::uint8_t>(bytes + 106 + g / 2);
            const float scale = d * static_cast<float>(2 * (scales >> 4 * (g % 2) & 15) + 1);
            for (unsigned l = 0; l < 4; ++l, out += 8) {
                const auto first = (rows >> 16 * l & 255) | (upper >> 2 * l & 1) << 8;
                const auto second = (rows >> (16 * l + 8) & 255) | (upper >> (2 * l + 1) & 1) << 8;
                write_eight(
                    with_signs(join(iq3_s_grid[first], iq3_s_grid[second]), byte_masks[signs >> 8 * l & 255]),
                    scale, out);
            }
        }
    }
}

void decode_iq1_s(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 50) {
        const float d = load_half(bytes) * 0.125f;
        for (unsigned g = 0; g < 8; ++g) {
            const auto rows = load<std::uint32_t>(bytes + 2 + 4 * g);
            const unsigned upper = load<std::uint16_t>(bytes + 34 + 2 * g);
            const float scale = d * static_cast<float>(2 * (upper >> 12 & 7) + 1);
            for (unsigned l = 0; l < 4; ++l, out += 8)
                write_shifted(iq1_grid[(rows >> 8 * l & 255) | (upper >> 3 * l & 7) << 8],
                              (upper & 0x8000) != 0, scale, out);
        }
    }
}

void decode_iq1_m(const std::byte* bytes, float* __restrict out, std::uint64_t blocks) {
    for (std::uint64_t b = 0; b < blocks; ++b, bytes += 56) {
        std::uint16_t scales[4];
        std::memcpy(scales, bytes + 48, sizeof scales);
        const unsigned half =
            scales[0] >> 12 | (scales[1] >> 8 & 0x00f0) | (scales[2] >> 4 & 0x0f00) | (scales[3] & 0xf000);
        const float d = half_to_float_inline(static_cast<std::uint16_t>(half)) * 0.125f;
        for (unsigned pair = 0; pair < 16; ++pair) {
            const unsigned rows = load<std::uint16_t>(bytes + 2 * pair);
            const unsigned upper = load<std::uint8_t>(bytes + 32 + pair);
            const float scale = d * static_cast<float>(2 * (scales[pair / 4] >> 3 * (pair % 4) & 7) + 1);
            for (unsigned l = 0; l < 2; ++l, out += 8)
                write_shifted(iq1_grid[(rows >> 8 * l & 255) | (upper >> 4 * l & 7) << 8],
                              (upper >> 4 * l & 8) != 0, scale, out);
        }
    }
}

} // namespace permafrost::tensor
