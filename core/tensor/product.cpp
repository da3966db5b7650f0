// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/product.h"

#include "core/tensor/product_kernel.h"

#include <algorithm>

namespace permafrost::tensor {
namespace {

// A panel of w over a block of k stays in the first cache while the rows of x pass by; a block of x in the second.
constexpr std::size_t most_depth = 768;
constexpr std::size_t most_rows = 256;

// Blocks of (nearly) the same depth, not a full one and a rest.
std::size_t block_depth(std::size_t depth) {
    const auto blocks = (depth + most_depth - 1) / most_depth;
    return (depth + blocks - 1) / blocks;
}

} // namespace

void multiply(const PackedMatrix& x, const PackedMatrix& w, MatrixView y, bool accumulate,
              const std::stop_token& stop) {
    const auto& kernel = product_kernel();
    const auto depth = x.depth();
    const auto step = block_depth(depth);
    const auto panels_of_x = std::max<std::size_t>(1, most_rows / x.panel_rows());
    for (std::size_t first_k = 0; first_k < depth; first_k += step)
        for (std::size_t first_panel = 0; first_panel < x.panels(); first_panel += panels_of_x) {
            const auto first_row = first_panel * x.panel_rows();
            const auto rows = std::min(panels_of_x * x.panel_rows(), x.rows() - first_row);
            for (std::size_t column = 0, panel = 0; column < y.columns; column += w.panel_rows(), ++panel) {
                if (stop.stop_requested()) return;
                kernel.multiply({x.panel(first_panel) + first_k * x.panel_rows(), x.panel_rows() * depth,
                                 w.panel(panel) + first_k * w.panel_rows(), std::min(step, depth - first_k),
                                 y.data + first_row * y.stride + column, y.stride, rows,
                                 std::min(w.panel_rows(), y.columns - column), accumulate || first_k > 0});
            }
        }
}

void multiply_transposed(ConstMatrixView x, ConstMatrixView w, MatrixView y, bool accumulate) {
    PackedMatrix left(Side::Left), right(Side::Right);
    left.pack(x);
    right.pack(w);
    multiply(left, right, y, accumulate);
}

} // namespace permafrost::tensor
