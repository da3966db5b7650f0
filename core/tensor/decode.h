// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_view.h"

namespace permafrost::tensor {

/// Decodes `elements` numbers (a multiple of the type's block) from `bytes` to f32.
/// Bit-exact with ggml's dequantize_row_* reference functions.
void decode(ElementType type, const std::byte* bytes, float* out, std::uint64_t elements);

/// Decodes rows [first, first + count) of a matrix into `out`, row after row.
void decode_rows(const TensorView& view, std::uint64_t first, std::uint64_t count, float* out);

/// The same value in both directions: IEEE half and bfloat16.
float half_to_float(std::uint16_t half);
float bfloat16_to_float(std::uint16_t value);

} // namespace permafrost::tensor
