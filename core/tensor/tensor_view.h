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
    /// 0, or the size d of a head whose rows are stored in another order than rows are counted: row 2i of the head is stored
    /// as row i, row 2i+1 as row d/2+i. Rotary pairs that the file keeps half a head apart (transformers' Llama) so are
    /// neighbours, as in GGUF. Read `bytes` by row() then.
    std::uint32_t interleaves_heads_of = 0;

    std::uint64_t elements() const {
        std::uint64_t product = 1;
        for (auto extent : shape) product *= extent;
        return product;
    }
    std::uint64_t columns() const { return shape.empty() ? 1 : shape.back(); }
    std::uint64_t rows() const { return columns() == 0 ? 0 : elements() / columns(); }
    /// Bytes of one row; rows are whole blocks.
    std::uint64_t row_bytes() const { return columns() / info(type).block_elements * info(type).block_bytes; }
    ByteSpan row(std::uint64_t index) const {
        return bytes.subspan(stored_row(index) * row_bytes(), row_bytes());
    }

  private:
    std::uint64_t stored_row(std::uint64_t index) const {
        const std::uint64_t head = interleaves_heads_of;
        if (head == 0) return index;
        const auto place = index % head;
        return index - place + place % 2 * (head / 2) + place / 2;
    }
};

} // namespace permafrost::tensor
