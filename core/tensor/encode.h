// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"

#include <cstdint>
#include <string>

namespace permafrost::tensor {

/// Whether encode() writes the type.
bool can_encode(ElementType type);
/// "F32, F16, …", for messages.
std::string encodable_types();

/// Writes `elements` numbers (a multiple of the type's block) as one of those types to `bytes`. F16 and BF16 round to the nearest,
/// ties to even. Q8_0 as ggml's quantize_row_q8_0_ref: a scale of max|x| / 127 a block as half, and round(x / scale). Q4_0, Q4_1, Q5_0
/// and Q5_1 begin with the scale of ggml's quantize_row_*_ref and refit it by least squares while the squared error falls. Q4_K takes each group's range.
void encode(ElementType type, const float* values, std::byte* bytes, std::uint64_t elements);

/// To the nearest, ties to even; infinite where too large.
std::uint16_t float_to_half(float value);
std::uint16_t float_to_bfloat16(float value);

} // namespace permafrost::tensor
