// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/matrix_view.h"
#include "core/tensor/packed_matrix.h"

#include <cstddef>
#include <stop_token>

namespace permafrost::tensor {

/// y = x * w^T, or y += x * w^T with `accumulate`; x (m, k) packed as left, w (n, k) as right factor, y (m, n). One thread.
/// Of a larger w only the first n rows and k columns are read.
/// Each element is summed over k in ascending order in blocks of a size that depends on k alone, so its bits depend on its
/// own row of x and of w only. `stop` is looked at every few microseconds; after a stop y is undefined.
void multiply(const PackedMatrix& x, const PackedMatrix& w, MatrixView y, bool accumulate = false,
              const std::stop_token& stop = {});

/// The same for matrices that are not packed; each call copies both.
void multiply_transposed(ConstMatrixView x, ConstMatrixView w, MatrixView y, bool accumulate = false);

/// Floating-point operations of a product with these sizes.
constexpr double product_operations(std::size_t m, std::size_t k, std::size_t n) {
    return 2.0 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
}

} // namespace permafrost::tensor
