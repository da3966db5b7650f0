// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>

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

/// y = x * w^T, or y += x * w^T with `accumulate`; x (m, k), w (n, k), y (m, n). One thread. The result of
/// each element depends on the shapes only. Wide products are cut into panels of output columns (a function of the
/// shapes), and between panels `stop` is looked at; after a stop y is undefined.
void multiply_transposed(ConstMatrixView x, ConstMatrixView w, MatrixView y, bool accumulate = false,
                         const std::stop_token& stop = {});

/// y = x * v; x (m, k), v (k, n), y (m, n). One thread, through Eigen.
void multiply(ConstMatrixView x, ConstMatrixView v, MatrixView y);

/// Floating-point operations of a product with these sizes.
constexpr double product_operations(std::size_t m, std::size_t k, std::size_t n) {
    return 2.0 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
}

} // namespace permafrost::tensor
