// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/packed_product.h"

#include "core/tensor/aligned_buffer.h"

#include <algorithm>

#if defined(__SSE__)
#include <immintrin.h>
#endif

namespace permafrost::tensor {
namespace {

#if defined(__AVX512F__)
using Vector = __m512;
constexpr std::size_t vector_floats = 16;
constexpr std::size_t tile_rows = 12;
Vector broadcast(float value) { return _mm512_set1_ps(value); }
Vector load(const float* from) { return _mm512_loadu_ps(from); }
void store(float* to, Vector v) { _mm512_storeu_ps(to, v); }
Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
Vector multiply_add(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
#elif defined(__AVX2__) && defined(__FMA__)
using Vector = __m256;
constexpr std::size_t vector_floats = 8;
constexpr std::size_t tile_rows = 6;
Vector broadcast(float value) { return _mm256_set1_ps(value); }
Vector load(const float* from) { return _mm256_loadu_ps(from); }
void store(float* to, Vector v) { _mm256_storeu_ps(to, v); }
Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
Vector multiply_add(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
#else
using Vector = __m128;
constexpr std::size_t vector_floats = 4;
constexpr std::size_t tile_rows = 6;
Vector broadcast(float value) { return _mm_set1_ps(value); }
Vector load(const float* from) { return _mm_loadu_ps(from); }
void store(float* to, Vector v) { _mm_storeu_ps(to, v); }
Vector add(Vector a, Vector b) { return _mm_add_ps(a, b); }
Vector multiply_add(Vector a, Vector b, Vector c) { return _mm_add_ps(_mm_mul_ps(a, b), c); }
#endif

// One tile of the result stays in registers: tile_rows x two vectors.
constexpr std::size_t tile_columns = 2 * vector_floats;
// Blocks: a strip of packed w (depth x tile_columns) fits the first cache, a block of packed x the second.
constexpr std::size_t block_depth = 384;
constexpr std::size_t block_rows = 8 * tile_rows > 72 ? 8 * tile_rows : 72;
constexpr std::size_t block_columns = 1024;

// (panel, k, tile_rows or tile_columns): `width` rows side by side, zeros where the matrix ends.
template <std::size_t width>
void pack(ConstMatrixView source, std::size_t first_row, std::size_t rows, std::size_t first_k,
          std::size_t depth, float* out) {
    for (std::size_t panel = 0; panel < rows; panel += width) {
        for (std::size_t i = 0; i < width; ++i) {
            float* to = out + i;
            if (panel + i < rows) {
                const float* from = source.data + (first_row + panel + i) * source.stride + first_k;
                for (std::size_t k = 0; k < depth; ++k) to[k * width] = from[k];
            } else {
                for (std::size_t k = 0; k < depth; ++k) to[k * width] = 0.0f;
            }
        }
        out += width * depth;
    }
}

// One tile: x panel (k, tile_rows) times w panel (k, tile_columns), added to or put into `rows` x `columns` of y.
void multiply_tile(const float* x, const float* w, std::size_t depth, float* y, std::size_t stride,
                   std::size_t rows, std::size_t columns, bool accumulate) {
    Vector sums[tile_rows][2];
#pragma GCC unroll 12
    for (std::size_t row = 0; row < tile_rows; ++row) sums[row][0] = sums[row][1] = broadcast(0.0f);
    for (std::size_t k = 0; k < depth; ++k) {
        const Vector left = load(w);
        const Vector right = load(w + vector_floats);
#pragma GCC unroll 12
        for (std::size_t row = 0; row < tile_rows; ++row) {
            const Vector value = broadcast(x[row]);
            sums[row][0] = multiply_add(value, left, sums[row][0]);
            sums[row][1] = multiply_add(value, right, sums[row][1]);
        }
        x += tile_rows;
        w += tile_columns;
    }
    if (rows == tile_rows && columns == tile_columns) {
#pragma GCC unroll 12
        for (std::size_t row = 0; row < tile_rows; ++row) {
            float* line = y + row * stride;
            store(line, accumulate ? add(load(line), sums[row][0]) : sums[row][0]);
            store(line + vector_floats,
                  accumulate ? add(load(line + vector_floats), sums[row][1]) : sums[row][1]);
        }
        return;
    }
    float tile[tile_rows][tile_columns];
    for (std::size_t row = 0; row < tile_rows; ++row) {
        store(tile[row], sums[row][0]);
        store(tile[row] + vector_floats, sums[row][1]);
    }
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column) {
            float& value = y[row * stride + column];
            value = accumulate ? value + tile[row][column] : tile[row][column];
        }
}

struct PackedBlocks {
    AlignedBuffer<float> x{block_depth * block_rows};
    AlignedBuffer<float> w{block_depth * block_columns};
};

} // namespace

std::size_t packed_product_bytes() { return block_depth * (block_rows + block_columns) * sizeof(float); }

void multiply_packed(ConstMatrixView x, ConstMatrixView w, MatrixView y, bool accumulate) {
    thread_local PackedBlocks packed;
    for (std::size_t first_column = 0; first_column < w.rows; first_column += block_columns) {
        const auto columns = std::min(block_columns, w.rows - first_column);
        for (std::size_t first_k = 0; first_k < x.columns; first_k += block_depth) {
            const auto depth = std::min(block_depth, x.columns - first_k);
            const bool add_to_y = accumulate || first_k > 0;
            pack<tile_columns>(w, first_column, columns, first_k, depth, packed.w.data());
            for (std::size_t first_row = 0; first_row < x.rows; first_row += block_rows) {
                const auto rows = std::min(block_rows, x.rows - first_row);
                pack<tile_rows>(x, first_row, rows, first_k, depth, packed.x.data());
                for (std::size_t column = 0; column < columns; column += tile_columns)
                    for (std::size_t row = 0; row < rows; row += tile_rows)
                        multiply_tile(packed.x.data() + row * depth, packed.w.data() + column * depth, depth,
                                      y.data + (first_row + row) * y.stride + first_column + column, y.stride,
                                      std::min(tile_rows, rows - row),
                                      std::min(tile_columns, columns - column), add_to_y);
            }
        }
    }
}

} // namespace permafrost::tensor
