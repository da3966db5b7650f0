// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace permafrost::tensor {

/// A row-major f32 matrix that somebody else owns: element (r, c) is data[r * stride + c].
struct MatrixView {
    float* data = nullptr;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t stride = 0;
};
struct ConstMatrixView {
    const float* data = nullptr;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t stride = 0;

    ConstMatrixView(const float* values, std::size_t row_count, std::size_t column_count,
                    std::size_t row_stride)
        : data(values), rows(row_count), columns(column_count), stride(row_stride) {}
    ConstMatrixView(const MatrixView& view)
        : data(view.data), rows(view.rows), columns(view.columns), stride(view.stride) {}
};

/// A stride for rows of `columns` values that keeps rows below each other out of the same cache sets: caches choose the set
/// by the address modulo 4096.
constexpr std::size_t row_stride(std::size_t columns) { return (columns + 127) / 128 * 128 + 16; }

} // namespace permafrost::tensor
