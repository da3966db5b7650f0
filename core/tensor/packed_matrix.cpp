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

namespace {

// Whole panels, whose width the compiler knows.
template <std::size_t width>
void interleave(ConstMatrixView source, float* out) {
    const float* rows[width];
    for (std::size_t row = 0; row < width; ++row) rows[row] = source.data + row * source.stride;
    for (std::size_t k = 0; k < source.columns; ++k, out += width)
        for (std::size_t row = 0; row < width; ++row) out[row] = rows[row][k];
}

void interleave_any(ConstMatrixView source, std::size_t width, float* out) {
    for (std::size_t k = 0; k < source.columns; ++k, out += width)
        for (std::size_t row = 0; row < width; ++row)
            out[row] = row < source.rows ? source.data[row * source.stride + k] : 0.0f;
}

} // namespace

void PackedMatrix::pack_panel(std::size_t panel, ConstMatrixView source) {
    float* out = data_.data() + panel * panel_rows_ * depth_;
    if (source.rows < panel_rows_) return interleave_any(source, panel_rows_, out);
    switch (panel_rows_) {
    case 6: return interleave<6>(source, out);
    case 12: return interleave<12>(source, out);
    case 16: return interleave<16>(source, out);
    case 32: return interleave<32>(source, out);
    default: return interleave_any(source, panel_rows_, out);
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
