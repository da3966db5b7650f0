// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/decode.h"

#include "core/tensor/half.h"

namespace permafrost::tensor {

void decode(ElementType type, const std::byte* bytes, float* out, std::uint64_t elements) {
    const auto& layout = info(type);
    layout.decode_blocks(bytes, out, elements / layout.block_elements);
}

void decode_rows(const TensorView& view, std::uint64_t first, std::uint64_t count, float* out) {
    const auto columns = view.columns();
    if (view.interleaves_heads_of == 0)
        return decode(view.type, view.row(first).data(), out, count * columns);
    for (std::uint64_t i = 0; i < count; ++i)
        decode(view.type, view.row(first + i).data(), out + i * columns, columns);
}

float half_to_float(std::uint16_t half) { return half_to_float_inline(half); }

float bfloat16_to_float(std::uint16_t value) { return std::bit_cast<float>(std::uint32_t{value} << 16); }

} // namespace permafrost::tensor
