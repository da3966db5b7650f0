// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/product.h"

#include "core/tensor/packed_product.h"

#include <Eigen/Core>

#include <algorithm>

namespace permafrost::tensor {
namespace {

using Stride = Eigen::OuterStride<Eigen::Dynamic>;
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Matrix, 0, Stride> map(ConstMatrixView view) {
    return {view.data, static_cast<Eigen::Index>(view.rows), static_cast<Eigen::Index>(view.columns),
            Stride(static_cast<Eigen::Index>(view.stride))};
}
Eigen::Map<Matrix, 0, Stride> map(MatrixView view) {
    return {view.data, static_cast<Eigen::Index>(view.rows), static_cast<Eigen::Index>(view.columns),
            Stride(static_cast<Eigen::Index>(view.stride))};
}

// Eigen cuts products into blocks that fit the caches it finds. Fixed sizes make the blocks, and with them the order of
// additions, the same on machines with other caches.
void fix_block_sizes() {
    [[maybe_unused]] static const bool fixed = [] {
        Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 16 << 20);
        return true;
    }();
}

// Output columns done between two looks at the stop token: about 4 GFLOP, some 50 ms on one core.
std::size_t panel_width(std::size_t m, std::size_t k, std::size_t n) {
    constexpr double budget = 4e9;
    const auto columns = static_cast<std::size_t>(budget / product_operations(m, k, 1));
    return std::clamp<std::size_t>(columns / 96 * 96, 384, std::max<std::size_t>(n, 384));
}

} // namespace

void multiply_transposed(ConstMatrixView x, ConstMatrixView w, MatrixView y, bool accumulate,
                         const std::stop_token& stop) {
    const auto width = panel_width(x.rows, x.columns, w.rows);
    for (std::size_t first = 0; first < w.rows && !stop.stop_requested(); first += width) {
        const auto count = std::min(width, w.rows - first);
        multiply_packed(x, {w.data + first * w.stride, count, w.columns, w.stride},
                        {y.data + first, y.rows, count, y.stride}, accumulate);
    }
}

void multiply(ConstMatrixView x, ConstMatrixView v, MatrixView y) {
    fix_block_sizes();
    map(y).noalias() = map(x) * map(v);
}

} // namespace permafrost::tensor
