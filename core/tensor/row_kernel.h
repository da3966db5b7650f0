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

/// A vector that many rows are multiplied with, and the sums of its runs of 32, which types with an offset need.
class RowInput {
  public:
    void set(std::span<const float> values);
    std::span<const float> values() const { return {values_.data(), size_}; }
    const float* sums() const { return sums_.data(); } ///< (size / 32)

  private:
    AlignedBuffer<float> values_;
    std::vector<float> sums_;
    std::size_t size_ = 0;
};

/// Multiplies a row of `count` elements with x; `sums` as RowInput has them.
using RowDot = float (*)(const std::byte* row, const float* x, const float* sums, std::size_t count);

/// The dot product for rows of this type on this processor, through Highway's run-time dispatch; null for a type that is decoded
/// first. Elements are summed in an order that depends on the processor's vector width, at f32.
RowDot row_dot(ElementType type);

/// y[i] = row (first + i) of `matrix` times x, for any type; `decoded` is memory for one row.
void multiply_rows(const TensorView& matrix, std::uint64_t first, std::uint64_t count, const RowInput& x,
                   float* y, std::vector<float>& decoded);

} // namespace permafrost::tensor
