// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_view.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace permafrost::formats {

/// A tensor on its way into a file: the bytes of a mapped file, or rows that are made when they are written, so that a model which
/// is larger than memory can be changed.
struct OutgoingTensor {
    tensor::TensorView view; ///< without bytes when its rows are made
    /// Appends the bytes of rows [first, first + count).
    std::function<void(std::uint64_t first, std::uint64_t count, std::vector<std::byte>& bytes)> make_rows =
        {};

    std::uint64_t size() const { return view.rows() * view.row_bytes(); }
};

std::vector<OutgoingTensor> outgoing(const std::vector<tensor::TensorView>& views);

} // namespace permafrost::formats
