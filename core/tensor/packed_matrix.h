// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/aligned_buffer.h"
#include "core/tensor/matrix_view.h"

#include <cstddef>
#include <cstdint>

namespace permafrost::tensor {

/// Which factor of a product x * w^T a matrix is: x is the left, w the right one.
enum class Side : std::uint8_t { Left, Right };

/// A matrix (rows, depth) copied to the order in which the product kernel reads it: panels of panel_rows() rows, in a
/// panel k by k, its rows side by side, zeros where the matrix ends (Goto and van de Geijn, "Anatomy of High-Performance
/// Matrix Multiplication", 2008). Memory is kept from one use to the next.
class PackedMatrix {
  public:
    explicit PackedMatrix(Side side);

    /// Sets the shape; the contents are undefined afterwards.
    void resize(std::size_t rows, std::size_t depth);
    /// Takes the shape and contents of `source` (rows, depth).
    void pack(ConstMatrixView source);
    /// Takes the contents of the transposed `source` (depth, rows).
    void pack_transposed(ConstMatrixView source);
    /// Fills one panel from its rows, `source` (at most panel_rows(), depth). Panels may be filled by several threads.
    void pack_panel(std::size_t panel, ConstMatrixView source);

    std::size_t rows() const { return rows_; }
    std::size_t depth() const { return depth_; }
    std::size_t panel_rows() const { return panel_rows_; }
    std::size_t panels() const { return (rows_ + panel_rows_ - 1) / panel_rows_; }
    const float* panel(std::size_t index) const { return data_.data() + index * panel_rows_ * depth_; }
    float& at(std::size_t row, std::size_t k) {
        return data_[(row / panel_rows_) * panel_rows_ * depth_ + k * panel_rows_ + row % panel_rows_];
    }
    float at(std::size_t row, std::size_t k) const { return const_cast<PackedMatrix&>(*this).at(row, k); }
    std::uint64_t bytes() const { return data_.bytes(); }

  private:
    std::size_t panel_rows_;
    std::size_t rows_ = 0, depth_ = 0;
    AlignedBuffer<float> data_;
};

} // namespace permafrost::tensor
