// SPDX-License-Identifier: GPL-3.0-or-later
//
// Products of one vector with rows of a matrix as they are stored: what generating a token is made of. Rows are decoded in registers
// on their way from memory, never as a whole.
#pragma once

#include "core/tensor/aligned_buffer.h"
#include "core/tensor/tensor_view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace permafrost::tensor {

/// A vector that many rows are multiplied with, in the forms that the kernels take it in.
///
/// Kernels of integers take each run of 256 values as whole numbers of 15 bits, 128 * high + low, times the run's scale: rounding them
/// costs 1 / 32 512 of the run's largest value, where 8 bits (as llama.cpp rounds activations) cost 1 / 254.
class RowInput {
  public:
    /// The vector from some element on: see row_dot_step().
    struct Slice {
        const float* values;
        const float* sums; ///< of runs of 32, which types with an offset need
        const std::int8_t *high, *low;
        const float* scales;       ///< of runs of 256
        const float* rounded_sums; ///< as `sums`, of the rounded values
        Slice from(std::size_t element) const {
            return {values + element, sums + element / 32,    high + element,
                    low + element,    scales + element / 256, rounded_sums + element / 32};
        }
    };
    void set(std::span<const float> values);
    std::span<const float> values() const { return {values_.data(), size_}; }
    Slice slice() const {
        return {values_.data(), sums_.data(),   high_.data(),
                low_.data(),    scales_.data(), rounded_sums_.data()};
    }

  private:
    AlignedBuffer<float> values_;
    AlignedBuffer<std::int8_t> high_, low_;
    std::vector<float> sums_, scales_, rounded_sums_;
    std::size_t size_ = 0;
};

/// Multiplies a row of `count` elements with x. Meanwhile as many bytes from `ahead` on, a row that will be needed soon, are brought
/// from memory: processors look ahead too short a way in rows of few bits, and not at all over rows that are left out.
using RowDot = float (*)(const std::byte* row, const std::byte* ahead, const RowInput::Slice& x,
                         std::size_t count);

/// How far `ahead` lies when rows are read one after the other: less comes too late, more is gone again from the nearest cache.
inline constexpr std::size_t bytes_ahead = 4096;
/// How many rows later the row stands that shall be `ahead`, for rows of so many bytes.
constexpr std::size_t rows_ahead(std::size_t row_bytes) { return (bytes_ahead + row_bytes - 1) / row_bytes; }

/// The dot product for rows of this type on this processor, through Highway's run-time dispatch; null for a type that is decoded
/// first. Elements are summed in an order that depends on the processor's vector width, at f32 (integers: exact within a block).
RowDot row_dot(ElementType type);

/// Where a row may be cut, so that the kernel of this type can begin there with x.from() at the same element.
std::size_t row_dot_step(ElementType type);

/// y[i] = row (first + i) of `matrix` times x, for any type; `decoded` is memory for one row.
void multiply_rows(const TensorView& matrix, std::uint64_t first, std::uint64_t count, const RowInput& x,
                   float* y, std::vector<float>& decoded);

} // namespace permafrost::tensor
