// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/encode.h"

#include "core/tensor/decode.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace permafrost::tensor {
namespace {

constexpr std::array encodable{ElementType::F32,  ElementType::F16,  ElementType::BF16,
                               ElementType::Q8_0, ElementType::Q5_1, ElementType::Q5_0,
                               ElementType::Q4_1, ElementType::Q4_0, ElementType::Q4_K};

constexpr std::size_t block = 32; // elements

void encode_halves(const float* values, std::byte* bytes, std::uint64_t elements,
                   std::uint16_t (*half_of)(float)) {
    for (std::uint64_t i = 0; i < elements; ++i) {
        const auto half = half_of(values[i]);
        std::memcpy(bytes + i * sizeof half, &half, sizeof half);
    }
}

void put_half(float value, std::byte* bytes) {
    const auto half = float_to_half(value);
    std::memcpy(bytes, &half, sizeof half);
}

void encode_q8_0(const float* values, std::byte* bytes) {
    float largest = 0;
    for (std::size_t i = 0; i < block; ++i) largest = std::max(largest, std::abs(values[i]));
    const float scale = largest / 127.0f;
    const float inverse = scale != 0 ? 1.0f / scale : 0.0f;
    put_half(scale, bytes);
    for (std::size_t i = 0; i < block; ++i)
        bytes[2 + i] = static_cast<std::byte>(static_cast<std::int8_t>(std::round(values[i] * inverse)));
}

/// Values scale * (quant - zero) + offset, quants from 0 below `levels`.
struct Grid {
    int levels = 16;
    int zero = 0;
    float scale = 0, offset = 0;
};

struct Quants {
    Grid grid; ///< its scale and offset as a half holds them
    std::array<std::uint8_t, block> quants{};
    double error = 0; ///< sum of squares
};

Quants nearest(const float* values, Grid grid) {
    grid.scale = half_to_float(float_to_half(grid.scale));
    grid.offset = half_to_float(float_to_half(grid.offset));
    Quants found{grid};
    const float inverse = grid.scale != 0 ? 1.0f / grid.scale : 0.0f;
    for (std::size_t i = 0; i < block; ++i) {
        const float place = std::round((values[i] - grid.offset) * inverse) + static_cast<float>(grid.zero);
        const float quant = std::clamp(place, 0.0f, static_cast<float>(grid.levels - 1));
        found.quants[i] = static_cast<std::uint8_t>(quant);
        const double miss =
            double{grid.scale} * (quant - static_cast<float>(grid.zero)) + grid.offset - values[i];
        found.error += miss * miss;
    }
    return found;
}

// The scale, and where there is one the offset, that fit these quants best (least squares).
Grid fitted(const float* values, const Quants& quants, bool has_offset) {
    double n = 0, k_sum = 0, k_squares = 0, x_sum = 0, products = 0;
    for (std::size_t i = 0; i < block; ++i) {
        const double k = quants.quants[i] - quants.grid.zero;
        n += 1;
        k_sum += k;
        k_squares += k * k;
        x_sum += values[i];
        products += k * values[i];
    }
    Grid grid = quants.grid;
    if (!has_offset) {
        if (k_squares > 0) grid.scale = static_cast<float>(products / k_squares);
        return grid;
    }
    const double determinant = n * k_squares - k_sum * k_sum;
    if (determinant <= 0) return grid;
    grid.scale = static_cast<float>((n * products - k_sum * x_sum) / determinant);
    grid.offset = static_cast<float>((x_sum - grid.scale * k_sum) / n);
    return grid;
}

// ggml's own grid (the extreme values are on it), then grids that fit the quants of the one before better.
Quants quantise(const float* values, int levels, bool has_offset) {
    const auto [least, most] = std::minmax_element(values, values + block);
    Grid grid{levels, has_offset ? 0 : levels / 2};
    if (has_offset) {
        grid.scale = (*most - *least) / static_cast<float>(levels - 1);
        grid.offset = *least;
    } else {
        const float extreme = std::abs(*least) >= std::abs(*most) ? *least : *most;
        grid.scale = extreme / static_cast<float>(-grid.zero);
    }
    auto best = nearest(values, grid);
    constexpr int rounds = 4;
    auto current = best;
    for (int round = 0; round < rounds; ++round) {
        current = nearest(values, fitted(values, current, has_offset));
        if (current.error >= best.error) break;
        best = current;
    }
    return best;
}

// Scale, offset where there is one, fifth bits where there are 32 levels, then nibbles (block_decoders.h).
void encode_few_bits(const float* values, std::byte* bytes, int levels, bool has_offset) {
    const auto found = quantise(values, levels, has_offset);
    put_half(found.grid.scale, bytes);
    bytes += 2;
    if (has_offset) {
        put_half(found.grid.offset, bytes);
        bytes += 2;
    }
    if (levels == 32) {
        std::uint32_t fifth = 0;
        for (std::size_t i = 0; i < block; ++i) fifth |= std::uint32_t{found.quants[i]} >> 4 << i;
        std::memcpy(bytes, &fifth, sizeof fifth);
        bytes += sizeof fifth;
    }
    for (std::size_t j = 0; j < block / 2; ++j)
        bytes[j] = static_cast<std::byte>((found.quants[j] & 15) | (found.quants[j + block / 2] & 15) << 4);
}

constexpr std::size_t super_block = 256, groups = super_block / block;

// Eight groups of 32 with a scale and a minimum of 6 bits each, packed as decode_k_blocks.cpp unpacks them.
void encode_q4_k(const float* values, std::byte* bytes) {
    std::array<float, groups> scales{}, minimums{};
    for (std::size_t g = 0; g < groups; ++g) {
        const float* group = values + g * block;
        const auto [least, most] = std::minmax_element(group, group + block);
        minimums[g] = std::max(0.0f, -*least);
        scales[g] = std::max(0.0f, (*most + minimums[g]) / 15.0f);
    }
    const auto factor_of = [](const std::array<float, groups>& numbers) {
        return half_to_float(float_to_half(*std::max_element(numbers.begin(), numbers.end()) / 63.0f));
    };
    const float d = factor_of(scales), d_minimum = factor_of(minimums);
    const auto six_bits = [](float value, float factor) {
        return static_cast<unsigned>(factor == 0 ? 0.0f
                                                 : std::clamp(std::round(value / factor), 0.0f, 63.0f));
    };
    put_half(d, bytes);
    put_half(d_minimum, bytes + 2);
    std::array<std::uint8_t, 12> packed{};
    std::array<std::uint8_t, super_block> quants{};
    for (std::size_t g = 0; g < groups; ++g) {
        const auto scale = six_bits(scales[g], d), minimum = six_bits(minimums[g], d_minimum);
        if (g < 4) {
            packed[g] = static_cast<std::uint8_t>(packed[g] | scale);
            packed[g + 4] = static_cast<std::uint8_t>(packed[g + 4] | minimum);
        } else {
            packed[g + 4] = static_cast<std::uint8_t>((scale & 15u) | (minimum & 15u) << 4);
            packed[g - 4] = static_cast<std::uint8_t>(packed[g - 4] | scale >> 4 << 6);
            packed[g] = static_cast<std::uint8_t>(packed[g] | minimum >> 4 << 6);
        }
        const float step = d * static_cast<float>(scale), offset = d_minimum * static_cast<float>(minimum);
        for (std::size_t i = 0; i < block; ++i) {
            const float place = step == 0 ? 0.0f : std::round((values[g * block + i] + offset) / step);
            quants[g * block + i] = static_cast<std::uint8_t>(std::clamp(place, 0.0f, 15.0f));
        }
    }
    std::memcpy(bytes + 4, packed.data(), packed.size());
    for (std::size_t pair = 0; pair < groups / 2; ++pair)
        for (std::size_t i = 0; i < block; ++i)
            bytes[16 + pair * block + i] = static_cast<std::byte>(quants[2 * pair * block + i] |
                                                                  quants[(2 * pair + 1) * block + i] << 4);
}

void encode_block(ElementType type, const float* values, std::byte* bytes) {
    switch (type) {
    case ElementType::Q4_0:
        return encode_few_bits(values, bytes, 16, false);
    case ElementType::Q4_1:
        return encode_few_bits(values, bytes, 16, true);
    case ElementType::Q5_0:
        return encode_few_bits(values, bytes, 32, false);
    case ElementType::Q5_1:
        return encode_few_bits(values, bytes, 32, true);
    default:
        return encode_q8_0(values, bytes);
    }
}

} // namespace

bool can_encode(ElementType type) {
    return std::find(encodable.begin(), encodable.end(), type) != encodable.end();
}

std::string encodable_types() {
    std::string list;
    for (const auto type : encodable) list += (list.empty() ? "" : ", ") + std::string(info(type).name);
    return list;
}

std::uint16_t float_to_half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const auto magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return sign | 0x7e00u;
    if (magnitude >= 0x47800000u) return sign | 0x7c00u; // 65536 and more
    if (magnitude <
        0x38800000u) { // denormal as a half: adding 0.5 leaves the rounded multiple of 2^-24 in the last bits
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
        return sign | static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u);
    }
    const auto rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
    return sign | static_cast<std::uint16_t>((rounded - 0x38000000u) >> 13);
}

std::uint16_t float_to_bfloat16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

void encode(ElementType type, const float* values, std::byte* bytes, std::uint64_t elements) {
    switch (type) {
    case ElementType::F32:
        std::memcpy(bytes, values, elements * sizeof(float));
        return;
    case ElementType::F16:
        return encode_halves(values, bytes, elements, float_to_half);
    case ElementType::BF16:
        return encode_halves(values, bytes, elements, float_to_bfloat16);
    case ElementType::Q4_K:
        for (std::uint64_t i = 0; i < elements / super_block; ++i)
            encode_q4_k(values + i * super_block, bytes + i * info(type).block_bytes);
        return;
    default:
        for (std::uint64_t i = 0; i < elements / block; ++i)
            encode_block(type, values + i * block, bytes + i * info(type).block_bytes);
    }
}

} // namespace permafrost::tensor
