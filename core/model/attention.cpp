// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention.h"

#include "core/tensor/elementwise.h"

#include <algorithm>

namespace permafrost::model {
namespace {

// Query rows of one head that share a product with the keys: enough to be fast, few enough to skip most of the masked half.
constexpr std::size_t block_rows = 48;

struct Block {
    std::size_t first = 0; ///< query row in the sequence
    std::size_t rows = 0;
    std::size_t keys = 0; ///< keys that the last of these rows may see
};

// Softmax over the keys each row may see; the rest becomes zero. The row's scale 1/sum is left for after the product.
void softmax_rows(const AttentionShape& shape, const Block& block, tensor::MatrixView scores,
                  float* inverse_sums) {
    for (std::size_t line = 0; line < scores.rows; ++line) {
        float* values = scores.data + line * scores.stride;
        const auto seen = block.first + line % block.rows + 1;
        const auto hidden = shape.window != 0 && seen > shape.window ? seen - shape.window : 0;
        if (shape.softcap != 0) tensor::softcap(values + hidden, shape.softcap, seen - hidden);
        std::fill_n(values, hidden, 0.0f);
        inverse_sums[line] = tensor::exp_and_inverse_sum(values + hidden, seen - hidden);
        std::fill(values + seen, values + block.keys, 0.0f);
    }
}

} // namespace

double attend(const AttentionShape& shape, tensor::ConstMatrixView qkv, tensor::MatrixView out,
              AttentionScratch& scratch) {
    const std::size_t size = shape.head_size;
    const std::size_t group = shape.heads / shape.kv_heads;
    const std::size_t tokens = qkv.rows;
    scratch.queries.ensure(group * block_rows * size);
    const auto longest_line = tensor::row_stride(tokens);
    scratch.scores.ensure(group * block_rows * (longest_line + 1));
    scratch.values.ensure(group * block_rows * size);
    scratch.packed.resize(group * block_rows, std::max(size, tokens)); // at once, not growing with the keys
    float* inverse_sums = scratch.scores.data() + group * block_rows * longest_line;

    double operations = 0;
    for (std::size_t kv_head = 0; kv_head < shape.kv_heads; ++kv_head) {
        const float* keys = qkv.data + (shape.heads + kv_head) * size;
        const float* values = qkv.data + (shape.heads + shape.kv_heads + kv_head) * size;
        scratch.keys.pack({keys, tokens, size, qkv.stride});
        scratch.key_values.pack_transposed({values, tokens, size, qkv.stride});
        for (std::size_t first = 0; first < tokens; first += block_rows) {
            const Block block{first, std::min(block_rows, tokens - first),
                              std::min(first + block_rows, tokens)};
            const auto stacked = group * block.rows;
            for (std::size_t head = 0; head < group; ++head)
                for (std::size_t row = 0; row < block.rows; ++row) {
                    const float* from =
                        qkv.data + (first + row) * qkv.stride + (kv_head * group + head) * size;
                    float* to = scratch.queries.data() + (head * block.rows + row) * size;
                    for (std::size_t i = 0; i < size; ++i) to[i] = from[i] * shape.scale;
                }
            scratch.packed.pack({scratch.queries.data(), stacked, size, size});
            const tensor::MatrixView scores{scratch.scores.data(), stacked, block.keys,
                                            tensor::row_stride(block.keys)};
            tensor::multiply(scratch.packed, scratch.keys, scores);
            softmax_rows(shape, block, scores, inverse_sums);
            scratch.packed.pack(scores);
            tensor::multiply(scratch.packed, scratch.key_values,
                             {scratch.values.data(), stacked, size, size});
            for (std::size_t head = 0; head < group; ++head)
                for (std::size_t row = 0; row < block.rows; ++row) {
                    const float* from = scratch.values.data() + (head * block.rows + row) * size;
                    float* to = out.data + (first + row) * out.stride + (kv_head * group + head) * size;
                    const float inverse = inverse_sums[head * block.rows + row];
                    for (std::size_t i = 0; i < size; ++i) to[i] = from[i] * inverse;
                }
            operations += 2 * tensor::product_operations(stacked, size, block.keys);
        }
    }
    return operations;
}

} // namespace permafrost::model
