// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/packed_matrix.h"

#include "core/tensor/product_kernel.h"

#include <algorithm>

namespace permafrost::tensor {

PackedMatrix::PackedMatrix(Side side)
    : panel_rows_(side == Side::Left ? product_kernel().lhs_panel : product_kernel().rhs_panel) {}

void PackedMatrix::resize(std::size_t rows, std::size_t depth) {
    rows_ = rows;
    depth_ = depth;
    data_.ensure(panels() * panel_rows_ * depth);
}

void PackedMatrix::pack_panel(std::size_t panel, ConstMatrixView source) {
    float* out = data_.data() + panel * panel_rows_ * depth_;
    const auto width = panel_rows_;
    // Runs of k keep the panel's lines in the first cache while each row is spread over them.
    constexpr std::size_t run = 64;
    for (std::size_t first = 0; first < depth_; first += run) {
        const auto last = std::min(first + run, depth_);
        for (std::size_t row = 0; row < width; ++row) {
            const float* from = source.data + row * source.stride;
            if (row < source.rows)
                for (std::size_t k = first; k < last; ++k) out[k * width + row] = from[k];
            else
                for (std::size_t k = first; k < last; ++k) out[k * width + row] = 0.0f;
        }
    }
}

void PackedMatrix::pack(ConstMatrixView source) {
    resize(source.rows, source.columns);
    for (std::size_t panel = 0; panel < panels(); ++panel) {
        const auto first = panel * panel_rows_;
        pack_panel(panel, {source.data + first * source.stride, std::min(panel_rows_, rows_ - first),
                           source.columns, source.stride});
    }
}

void PackedMatrix::pack_transposed(ConstMatrixView source) {
    resize(source.columns, source.rows);
    float* out = data_.data();
    for (std::size_t panel = 0; panel < panels(); ++panel) {
        const auto first = panel * panel_rows_;
        const auto count = std::min(panel_rows_, rows_ - first);
        for (std::size_t k = 0; k < depth_; ++k, out += panel_rows_) {
            const float* from = source.data + k * source.stride + first;
            for (std::size_t i = 0; i < panel_rows_; ++i) out[i] = i < count ? from[i] : 0.0f;
        }
    }
}

} // namespace permafrost::tensor
