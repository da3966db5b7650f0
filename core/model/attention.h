// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_config.h"
#include "core/tensor/aligned_buffer.h"
#include "core/tensor/product.h"

#include <cstdint>
#include <span>

namespace permafrost::model {

/// Turns the first rotary_size values of each head of one token's Q or K.
/// `cosines`, `sines`: (rotary_size / 2) of the token's position.
void rotate_heads(float* heads, std::size_t head_count, const ModelConfig& config, const float* cosines,
                  const float* sines);

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

/// Causal grouped-query attention over one sequence. `qkv`: (tokens, Q heads | K heads | V heads), rotated already;
/// `out`: (tokens, Q heads * head size). Returns the floating-point operations spent in products.
double attend(const ModelConfig& config, tensor::ConstMatrixView qkv, tensor::MatrixView out,
              AttentionScratch& scratch);

} // namespace permafrost::model
