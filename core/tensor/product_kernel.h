// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace permafrost::tensor {

/// One strip of a product: the panels of packed lhs below each other times one panel of packed rhs.
struct ProductStrip {
    const float* lhs;       ///< first panel: (k, lhs_panel)
    std::size_t lhs_stride; ///< floats from one lhs panel to the next
    const float* rhs;       ///< (k, rhs_panel)
    std::size_t depth;      ///< values of k
    float* y;               ///< (rows, columns)
    std::size_t y_stride;
    std::size_t rows, columns;
    bool accumulate; ///< y += instead of y =
};

/// The innermost loop of a product for one kind of processor. Each element is summed over k in ascending order, so its
/// bits depend on nothing but its row, its column and whether the processor has fused multiply-add.
struct ProductKernel {
    std::size_t lhs_panel; ///< rows of a tile of the result
    std::size_t rhs_panel; ///< columns of a tile of the result
    void (*multiply)(const ProductStrip&);
};

/// The kernel for this processor, through Highway's run-time dispatch; the same at every call.
const ProductKernel& product_kernel();

} // namespace permafrost::tensor
