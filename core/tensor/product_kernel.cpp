// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/product_kernel.h"

// Highway compiles this file once for each kind of processor.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/product_kernel.cpp"
// Arrays of vectors need vectors whose size the compiler knows. AVX3_DL adds nothing to f32 products, and Highway 1.0.3
// does not compile where -march=native includes it (Ice Lake, Zen 4).
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace permafrost::tensor::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

// A tile of the result stays in registers: with 32 of them 12 rows of two vectors, with 16 of them 6.
constexpr std::size_t tile_rows = HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86 ? 12 : 6;

// Lane counts are known at compile time for every target that is left.
constexpr std::size_t lanes = HWY_LANES(float);
constexpr std::size_t tile_columns = 2 * lanes;

HWY_INLINE void store_tile(const Vector (&sums)[tile_rows][2], float* y, std::size_t stride,
                           bool accumulate) {
    const Floats floats;
#pragma GCC unroll 12
    for (std::size_t row = 0; row < tile_rows; ++row) {
        float* line = y + row * stride;
        hn::StoreU(accumulate ? hn::Add(hn::LoadU(floats, line), sums[row][0]) : sums[row][0], floats, line);
        hn::StoreU(accumulate ? hn::Add(hn::LoadU(floats, line + lanes), sums[row][1]) : sums[row][1], floats,
                   line + lanes);
    }
}

HWY_INLINE void multiply_tile(const float* HWY_RESTRICT lhs, const float* HWY_RESTRICT rhs, std::size_t depth,
                              float* y, std::size_t stride, std::size_t rows, std::size_t columns,
                              bool accumulate) {
    const Floats floats;
    Vector sums[tile_rows][2];
#pragma GCC unroll 12
    for (std::size_t row = 0; row < tile_rows; ++row) sums[row][0] = sums[row][1] = hn::Zero(floats);
    for (std::size_t k = 0; k < depth; ++k) {
        const Vector left = hn::Load(floats, rhs);
        const Vector right = hn::Load(floats, rhs + lanes);
#pragma GCC unroll 12
        for (std::size_t row = 0; row < tile_rows; ++row) {
            const Vector value = hn::Set(floats, lhs[row]);
            sums[row][0] = hn::MulAdd(value, left, sums[row][0]);
            sums[row][1] = hn::MulAdd(value, right, sums[row][1]);
        }
        lhs += tile_rows;
        rhs += tile_columns;
    }
    if (rows == tile_rows && columns == tile_columns) return store_tile(sums, y, stride, accumulate);
    alignas(64) float tile[tile_rows][tile_columns];
    store_tile(sums, tile[0], tile_columns, false);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column) {
            float& value = y[row * stride + column];
            value = accumulate ? value + tile[row][column] : tile[row][column];
        }
}

void multiply_strip(const ProductStrip& strip) {
    const float* lhs = strip.lhs;
    for (std::size_t row = 0; row < strip.rows; row += tile_rows, lhs += strip.lhs_stride)
        multiply_tile(lhs, strip.rhs, strip.depth, strip.y + row * strip.y_stride, strip.y_stride,
                      strip.rows - row < tile_rows ? strip.rows - row : tile_rows, strip.columns,
                      strip.accumulate);
}

ProductKernel kernel() { return {tile_rows, tile_columns, multiply_strip}; }

} // namespace
} // namespace permafrost::tensor::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace permafrost::tensor {

HWY_EXPORT(kernel);

const ProductKernel& product_kernel() {
    static const ProductKernel kernel = HWY_DYNAMIC_DISPATCH(kernel)();
    return kernel;
}

} // namespace permafrost::tensor
#endif
