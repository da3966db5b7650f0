// SPDX-License-Identifier: GPL-3.0-or-later
//
// One gated feed-forward layer for many tokens at once: what reading a prompt spends its time on. Weights are decoded to f32 a few
// rows at a time and multiplied as matrices, so frozen neurons are neither decoded nor multiplied, wherever they lie.
#pragma once

#include "core/model/ffn_layer.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/packed_matrix.h"

#include <vector>

namespace permafrost::model {

/// Runs layers; keeps its memory between them.
class FfnBatch {
  public:
    explicit FfnBatch(ThreadPool& pool);

    /// `x` and `y`: (tokens, hidden).
    void run(const FfnMatrices& layer, const ActiveNeurons& active, tensor::ConstMatrixView x,
             tensor::MatrixView y);

  private:
    struct Scratch {
        std::vector<float> rows, up;
        tensor::PackedMatrix weights{tensor::Side::Right};
    };
    void pack(tensor::PackedMatrix& packed, tensor::ConstMatrixView source);
    void project(const FfnMatrices& layer, const std::vector<std::uint32_t>& neurons);
    void multiply_down(const FfnMatrices& layer, const std::vector<std::uint32_t>& neurons,
                       tensor::MatrixView y);

    ThreadPool& pool_;
    tensor::PackedMatrix x_{tensor::Side::Left}, h_{tensor::Side::Left};
    std::vector<float> activations_; ///< (tokens, neurons) of those that are computed
    std::vector<Scratch> scratch_;   ///< (thread)
};

} // namespace permafrost::model
