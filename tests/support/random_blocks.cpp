// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_blocks.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace permafrost::test {
namespace {

using tensor::ElementType;

class BlockWriter {
  public:
    BlockWriter(ElementType type, float scale, std::mt19937_64& random, std::string& out)
        : type_(type), scale_(scale), random_(random), out_(out) {}

    void write_block();

  private:
    template <class T>
    void put(T value) {
        out_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put_half(double number) { put(half_of(static_cast<float>(number))); }
    void put_random_bytes(int count) {
        for (int i = 0; i < count; ++i) put(static_cast<std::uint8_t>(random_() >> 56));
    }
    float value() { return static_cast<float>((2.0 * uniform(random_) - 1.0) * scale_); }
    void put_k_scales(float largest_quant);
    void put_q6_k();
    void put_other();

    ElementType type_;
    double scale_;
    std::mt19937_64& random_;
    std::string& out_;
};

// Group scales of 20 … 63 sixty-thirds, and mins that centre the quants on zero.
void BlockWriter::put_k_scales(float largest_quant) {
    const double d = 2.0 * scale_ / largest_quant / 63.0;
    put_half(d);
    put_half(d * largest_quant / 2.0);
    std::array<unsigned, 8> scale{};
    for (auto& group : scale) group = 20 + static_cast<unsigned>(random_() % 44);
    std::array<std::uint8_t, 12> packed{};
    for (std::size_t g = 0; g < 4; ++g) {
        const unsigned first = scale[g], second = scale[g + 4]; // the min equals the scale in every group
        packed[g] = static_cast<std::uint8_t>(first | (second >> 4) << 6);
        packed[g + 4] = packed[g];
        packed[g + 8] = static_cast<std::uint8_t>((second & 15) | (second & 15) << 4);
    }
    put(packed);
}

void BlockWriter::put_q6_k() {
    put_random_bytes(128 + 64);
    for (int i = 0; i < 16; ++i) {
        const auto magnitude = static_cast<int>(40 + random_() % 88);
        put(static_cast<std::int8_t>(random_() % 2 == 0 ? magnitude : -magnitude));
    }
    put_half(scale_ / 32.0 / 127.0);
}

// Random bytes with a factor, at this place in the block, that brings the largest possible value to `scale`. Q2_K has a
// second factor behind it, for mins; the quants are centred on zero where scale and min are alike.
struct FactorPlace {
    ElementType type;
    std::size_t place;
    double largest;
};

constexpr FactorPlace factor_places[] = {
    {ElementType::Q2_K, 80, 22.5},     {ElementType::Q3_K, 108, 128.0},
    {ElementType::IQ1_S, 0, 16.875},   {ElementType::IQ2_XXS, 0, 166.625},
    {ElementType::IQ2_XS, 0, 166.625}, {ElementType::IQ2_S, 0, 166.625},
    {ElementType::IQ3_XXS, 0, 480.5},  {ElementType::IQ3_S, 0, 465.0},
    {ElementType::IQ4_NL, 0, 127.0},   {ElementType::IQ4_XS, 0, 32.0 * 127.0},
    {ElementType::TQ1_0, 52, 1.0},     {ElementType::TQ2_0, 64, 2.0},
    {ElementType::Q1_0, 0, 1.0},       {ElementType::Q2_0, 0, 2.0},
};

void BlockWriter::put_other() {
    const auto begin = out_.size();
    put_random_bytes(static_cast<int>(tensor::info(type_).block_bytes));
    const auto set = [&](std::size_t place, auto value) {
        std::memcpy(out_.data() + begin + place, &value, sizeof value);
    };
    for (const auto& factor : factor_places)
        if (factor.type == type_) set(factor.place, half_of(static_cast<float>(scale_ / factor.largest)));
    if (type_ == ElementType::Q2_K) set(82, half_of(static_cast<float>(scale_ / 22.5 * 1.5)));
    if (type_ == ElementType::MXFP4) // 12 halves of a power of two
        set(0, static_cast<std::uint8_t>(127 + std::ilogb(scale_ / 6.0)));
    if (type_ == ElementType::IQ1_M) // a nibble of the factor on top of each of four u16
        for (std::size_t i = 0; i < 4; ++i) {
            const unsigned nibble = half_of(static_cast<float>(scale_ / 16.875)) >> 4 * i & 15u;
            const auto low = static_cast<unsigned char>(out_[begin + 49 + 2 * i]) & 15u;
            set(49 + 2 * i, static_cast<std::uint8_t>(low | nibble << 4));
        }
}

void BlockWriter::write_block() {
    switch (type_) {
    case ElementType::F32:
        put(value());
        break;
    case ElementType::F16:
        put_half(value());
        break;
    case ElementType::BF16:
        put(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value()) >> 16));
        break;
    case ElementType::Q4_0:
        put_half(scale_ / 8.0);
        put_random_bytes(16);
        break;
    case ElementType::Q4_1:
        put_half(scale_ / 7.5);
        put_half(-scale_);
        put_random_bytes(16);
        break;
    case ElementType::Q5_0:
        put_half(scale_ / 16.0);
        put_random_bytes(4 + 16);
        break;
    case ElementType::Q5_1:
        put_half(scale_ / 15.5);
        put_half(-scale_);
        put_random_bytes(4 + 16);
        break;
    case ElementType::Q8_0:
        put_half(scale_ / 128.0);
        put_random_bytes(32);
        break;
    case ElementType::Q4_K:
        put_k_scales(15.0f);
        put_random_bytes(128);
        break;
    case ElementType::Q5_K:
        put_k_scales(31.0f);
        put_random_bytes(32 + 128);
        break;
    case ElementType::Q6_K:
        put_q6_k();
        break;
    default:
        put_other();
        break;
    }
}

} // namespace

std::uint16_t half_of(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude < 0x38800000u) return sign; // below the smallest normal half: zero will do
    const std::uint32_t rounded = magnitude + 0x0fffu + (magnitude >> 13 & 1u);
    return static_cast<std::uint16_t>(sign | (rounded - 0x38000000u) >> 13);
}

std::string random_tensor(ElementType type, std::uint64_t elements, float scale, std::mt19937_64& random) {
    std::string bytes;
    const auto& layout = tensor::info(type);
    bytes.reserve(elements / layout.block_elements * layout.block_bytes);
    BlockWriter writer(type, scale, random, bytes);
    for (std::uint64_t block = 0; block < elements / layout.block_elements; ++block) writer.write_block();
    return bytes;
}

} // namespace permafrost::test
