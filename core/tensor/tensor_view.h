// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/tensor/element_type.h"

#include <string>
#include <vector>

namespace permafrost::tensor {

/// A named tensor inside a mapped file. Nothing is copied; the file must outlive the view.
struct TensorView {
    std::string name;
    ElementType type = ElementType::F32;
    /// Outermost first, so a matrix is {rows, columns} with rows contiguous (GGUF lists sizes the other way round).
    std::vector<std::uint64_t> shape;
    ByteSpan bytes;
    /// The bytes lie in a mapped file, so their pages may be let go and are read again when needed. Readers that had to
    /// change a tensor keep it in memory of their own.
    bool in_file = true;

    std::uint64_t elements() const {
        std::uint64_t product = 1;
        for (auto extent : shape) product *= extent;
        return product;
    }
    std::uint64_t columns() const { return shape.empty() ? 1 : shape.back(); }
    std::uint64_t rows() const { return columns() == 0 ? 0 : elements() / columns(); }
    /// Bytes of one row; rows are whole blocks.
    std::uint64_t row_bytes() const { return columns() / info(type).block_elements * info(type).block_bytes; }
    ByteSpan row(std::uint64_t index) const { return bytes.subspan(index * row_bytes(), row_bytes()); }
};

} // namespace permafrost::tensor
