// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/product.h"

namespace permafrost::tensor {

/// y = x * w^T or y += x * w^T as multiply_transposed() says, in blocks copied to packed order (Goto and van de Geijn,
/// "Anatomy of High-Performance Matrix Multiplication", 2008). Each element is summed over k in ascending order in blocks
/// of a fixed size, so its bits depend on its own row, column and k alone.
void multiply_packed(ConstMatrixView x, ConstMatrixView w, MatrixView y, bool accumulate);

/// Bytes that one call needs for packed copies on its thread; kept for the next call.
std::size_t packed_product_bytes();

} // namespace permafrost::tensor
