// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/row_kernel.h"

#include "core/tensor/decode.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>
#include <cstring>

// Highway compiles this file once for each kind of processor.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/row_kernel.cpp"
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace permafrost::tensor::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
// 16 lanes at most, so that a block of 32 is whole vectors on every processor.
using Floats = hn::CappedTag<float, 16>;
using Integers = hn::Rebind<std::int32_t, Floats>;
using Bytes = hn::Rebind<std::uint8_t, Floats>;
using SignedBytes = hn::Rebind<std::int8_t, Floats>;
using Vector = hn::Vec<Floats>;
constexpr std::size_t lanes = HWY_LANES(float) < 16 ? HWY_LANES(float) : 16;

HWY_INLINE float half_at(const std::byte* bytes) {
    std::uint16_t half;
    std::memcpy(&half, bytes, sizeof half);
    return half_to_float_inline(half);
}

/// Brings the cache lines in which `size` bytes begin.
template <std::size_t size>
HWY_INLINE void prefetch_block(const std::byte* bytes) {
    for (std::size_t i = 0; i < size; i += 64) hwy::Prefetch(bytes + i);
}

HWY_INLINE const std::uint8_t* bytes_at(const std::byte* bytes) {
    return reinterpret_cast<const std::uint8_t*>(bytes);
}

HWY_INLINE float sum_of(Vector a, Vector b) { return hn::GetLane(hn::SumOfLanes(Floats(), hn::Add(a, b))); }

float dot_f32(const std::byte* row, const std::byte* ahead, const RowInput::Slice& input, std::size_t count) {
    const Floats floats;
    const auto* x = input.values;
    const auto* w = reinterpret_cast<const float*>(row);
    Vector sums[4] = {hn::Zero(floats), hn::Zero(floats), hn::Zero(floats), hn::Zero(floats)};
    std::size_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        prefetch_block<4 * lanes * sizeof(float)>(ahead + i * sizeof(float));
        sums[0] = hn::MulAdd(hn::LoadU(floats, w + i), hn::LoadU(floats, x + i), sums[0]);
        sums[1] = hn::MulAdd(hn::LoadU(floats, w + i + lanes), hn::LoadU(floats, x + i + lanes), sums[1]);
        sums[2] =
            hn::MulAdd(hn::LoadU(floats, w + i + 2 * lanes), hn::LoadU(floats, x + i + 2 * lanes), sums[2]);
        sums[3] =
            hn::MulAdd(hn::LoadU(floats, w + i + 3 * lanes), hn::LoadU(floats, x + i + 3 * lanes), sums[3]);
    }
    float sum = sum_of(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
    for (; i < count; ++i) sum += w[i] * x[i];
    return sum;
}

// The low four bits of each lane as a number.
HWY_INLINE Vector low_nibbles(hn::Vec<Integers> lanes_of_bytes) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    // A table of 16 floats looks at the low four bits of its indices only: a mask and a conversion in one.
    const auto table = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return Vector{_mm512_maskz_permutexvar_ps(0xffff, lanes_of_bytes.raw, table)};
#else
    return hn::ConvertTo(Floats(), hn::And(lanes_of_bytes, hn::Set(Integers(), 15)));
#endif
}

// Adds q * x over packed bytes to `low` and `high`: low nibbles with x, high ones with x_high.
HWY_INLINE void add_nibbles(const std::uint8_t* packed, std::size_t count, const float* x,
                            const float* x_high, Vector& low, Vector& high) {
    const Floats floats;
    for (std::size_t i = 0; i < count; i += lanes) {
        const auto wide = hn::PromoteTo(Integers(), hn::LoadU(Bytes(), packed + i));
        low = hn::MulAdd(low_nibbles(wide), hn::LoadU(floats, x + i), low);
        high = hn::MulAdd(low_nibbles(hn::ShiftRight<4>(wide)), hn::LoadU(floats, x_high + i), high);
    }
}

float dot_q8_0(const std::byte* row, const std::byte* ahead, const RowInput::Slice& input,
               std::size_t count) {
    const Floats floats;
    const auto* x = input.values;
    const Integers integers;
    const SignedBytes bytes;
    Vector first = hn::Zero(floats), second = hn::Zero(floats);
    for (std::size_t block = 0; block < count / 32; ++block, row += 34, ahead += 34, x += 32) {
        prefetch_block<34>(ahead);
        const auto* q = reinterpret_cast<const std::int8_t*>(row + 2);
        Vector low = hn::Zero(floats), high = hn::Zero(floats);
        for (std::size_t i = 0; i < 16; i += lanes) {
            low = hn::MulAdd(hn::ConvertTo(floats, hn::PromoteTo(integers, hn::LoadU(bytes, q + i))),
                             hn::LoadU(floats, x + i), low);
            high = hn::MulAdd(hn::ConvertTo(floats, hn::PromoteTo(integers, hn::LoadU(bytes, q + 16 + i))),
                              hn::LoadU(floats, x + 16 + i), high);
        }
        const auto d = hn::Set(floats, half_at(row));
        first = hn::MulAdd(low, d, first);
        second = hn::MulAdd(high, d, second);
    }
    return sum_of(first, second);
}

#include "core/tensor/row_kernel_integer-inl.h"
#include "core/tensor/row_kernel_q4-inl.h"
#include "core/tensor/row_kernel_q4_k-inl.h"

RowDot choose(ElementType type) {
    switch (type) {
    case ElementType::F32:
        return dot_f32;
    case ElementType::Q4_K:
        return dot_q4_k;
    case ElementType::Q4_0:
        return dot_q4_0;
    case ElementType::Q4_1:
        return dot_q4_1;
    case ElementType::Q8_0:
        return dot_q8_0;
    default:
        return nullptr;
    }
}

} // namespace
} // namespace permafrost::tensor::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace permafrost::tensor {
namespace {

/// values[i] ~ (128 * high[i] + low[i]) * the scale returned.
float round_to_15_bits(std::span<const float> values, std::int8_t* high, std::int8_t* low) {
    constexpr float largest_code = 127 * 128;
    float largest = 0;
    for (const float value : values) largest = std::max(largest, std::abs(value));
    const float inverse = largest > 0 ? largest_code / largest : 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto code = static_cast<std::int32_t>(std::nearbyint(values[i] * inverse));
        const auto upper = (code + 64) >> 7;
        high[i] = static_cast<std::int8_t>(upper);
        low[i] = static_cast<std::int8_t>(code - 128 * upper);
    }
    return largest / largest_code;
}

} // namespace

HWY_EXPORT(choose);

RowDot row_dot(ElementType type) { return HWY_DYNAMIC_DISPATCH(choose)(type); }

std::size_t row_dot_step(ElementType type) {
    const bool takes_floats = type == ElementType::F32 || type == ElementType::Q8_0;
    return takes_floats ? 64 : 256;
}

void RowInput::set(std::span<const float> values) {
    size_ = values.size();
    values_.ensure(size_);
    std::memcpy(values_.data(), values.data(), size_ * sizeof(float));
    sums_.assign(size_ / 32, 0.0f);
    for (std::size_t i = 0; i < sums_.size() * 32; ++i) sums_[i / 32] += values[i];
    scales_.resize((size_ + 255) / 256);
    high_.ensure(256 * scales_.size());
    low_.ensure(256 * scales_.size());
    for (std::size_t run = 0; run < scales_.size(); ++run)
        scales_[run] =
            round_to_15_bits(values.subspan(256 * run, std::min<std::size_t>(256, size_ - 256 * run)),
                             high_.data() + 256 * run, low_.data() + 256 * run);
    rounded_sums_.resize(sums_.size());
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        std::int32_t sum = 0;
        for (std::size_t k = 32 * i; k < 32 * i + 32; ++k) sum += 128 * high_.data()[k] + low_.data()[k];
        rounded_sums_[i] = static_cast<float>(sum) * scales_[i / 8];
    }
}

void multiply_rows(const TensorView& matrix, std::uint64_t first, std::uint64_t count, const RowInput& x,
                   float* y, std::vector<float>& decoded) {
    const auto dot = row_dot(matrix.type);
    if (!dot) decoded.resize(matrix.columns());
    const auto plain = row_dot(ElementType::F32);
    const auto slice = x.slice();
    const auto distance = rows_ahead(matrix.row_bytes());
    for (std::uint64_t i = 0; i < count; ++i) {
        if (dot) {
            const auto ahead = std::min(i + distance, count - 1);
            y[i] =
                dot(matrix.row(first + i).data(), matrix.row(first + ahead).data(), slice, matrix.columns());
            continue;
        }
        decode_rows(matrix, first + i, 1, decoded.data());
        const auto* row = reinterpret_cast<const std::byte*>(decoded.data());
        y[i] = plain(row, row, slice, matrix.columns());
    }
}

} // namespace permafrost::tensor

#endif
