// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/aligned_buffer.h"
#include "core/tensor/product.h"

#include <cstdint>
#include <span>

namespace permafrost::model {

/// What attend() needs to know of a layer.
struct AttentionShape {
    std::size_t heads = 0;
    std::size_t kv_heads = 0;
    std::size_t head_size = 0;
    std::size_t window = 0; ///< a token sees this many, itself included; 0: all before it
    float scale = 1.0f;     ///< of scores
    float softcap = 0;      ///< score -> softcap * tanh(score / softcap); 0: none
};

/// Working memory of attend(); one a thread.
struct AttentionScratch {
    tensor::AlignedBuffer<float> queries;                 ///< (heads of a group * rows of a block, head size)
    tensor::AlignedBuffer<float> scores;                  ///< (heads of a group * rows of a block, keys)
    tensor::AlignedBuffer<float> values;                  ///< (heads of a group * rows of a block, head size)
    tensor::PackedMatrix packed{tensor::Side::Left};      ///< queries, then scores
    tensor::PackedMatrix keys{tensor::Side::Right};       ///< (keys, head size)
    tensor::PackedMatrix key_values{tensor::Side::Right}; ///< (head size, keys)
    std::uint64_t bytes() const {
        return queries.bytes() + scores.bytes() + values.bytes() + packed.bytes() + keys.bytes() +
               key_values.bytes();
    }
};

/// Causal grouped-query attention over one sequence. `shape.kv_heads` divides `shape.heads`. `qkv`: (tokens, Q heads | K heads | V heads), rotated already;
/// `out`: (tokens, Q heads * head size). Returns the floating-point operations spent in products.
double attend(const AttentionShape& shape, tensor::ConstMatrixView qkv, tensor::MatrixView out,
              AttentionScratch& scratch);

} // namespace permafrost::model
