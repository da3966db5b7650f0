// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/decode.h"

#include "core/tensor/half.h"

namespace permafrost::tensor {

void decode(ElementType type, const std::byte* bytes, float* out, std::uint64_t elements) {
    const auto& layout = info(type);
    layout.decode_blocks(bytes, out, elements / layout.block_elements);
}

void decode_rows(const TensorView& view, std::uint64_t first, std::uint64_t count, float* out) {
    const auto part = view.bytes.subspan(first * view.row_bytes(), count * view.row_bytes());
    decode(view.type, part.data(), out, count * view.columns());
}

float half_to_float(std::uint16_t half) { return half_to_float_inline(half); }

float bfloat16_to_float(std::uint16_t value) { return std::bit_cast<float>(std::uint32_t{value} << 16); }

} // namespace permafrost::tensor
