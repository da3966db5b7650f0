// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/thread_pool.h"
#include "core/formats/model_file.h"
#include "core/model/layer_plan.h"
#include "core/tensor/aligned_buffer.h"
#include "core/tensor/packed_matrix.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <vector>

namespace permafrost::model {

/// A weight of one FFN neuron that is not finite.
struct BrokenWeight {
    std::uint32_t neuron = 0;
    const char* tensor = ""; ///< "ffn_gate", "ffn_up" or "ffn_down"
    bool operator==(const BrokenWeight&) const = default;
};

/// The weights of one layer, decoded to f32 and packed for products. The memory is kept and filled anew for each layer.
class LayerWeights {
  public:
    /// Decodes layer `layer` with all threads and lets go of the file's pages. Returns false after a stop.
    /// FFN weights that are not finite are listed in broken(). Such a neuron's gate is made NaN at every token and its down
    /// column finite, so that the activation step can leave the neuron out and the other neurons go on.
    bool load(const formats::ModelFile& file, const ModelConfig& config, std::uint32_t layer,
              ThreadPool& pool, const std::stop_token& stop = {});

    const tensor::PackedMatrix& qkv() const { return matrix(MatrixRole::Qkv); } ///< (Q, K, V rows, hidden)
    const tensor::PackedMatrix& attention_output() const { return matrix(MatrixRole::AttentionOutput); }
    /// (gate rows, then up rows, hidden)
    const tensor::PackedMatrix& gate_up() const { return matrix(MatrixRole::GateUp); }
    const tensor::PackedMatrix& down() const { return matrix(MatrixRole::Down); } ///< (hidden, intermediate)
    /// The layer's norm weights or biases; null where it has none. A bias of a part that has none is zero.
    const float* vector(VectorRole role) const {
        const auto& values = vectors_[static_cast<std::size_t>(role)];
        return values.size == 0 ? nullptr : values.buffer.data();
    }
    std::size_t neurons() const { return down().depth(); }
    const std::vector<BrokenWeight>& broken() const { return broken_; }

    /// Euclidean norm of each neuron's column of the down matrix, summed in f64 in row order.
    std::vector<float> down_norms(ThreadPool& pool) const;

    std::uint64_t bytes() const;

  private:
    struct RowRange;
    struct PanelTask;
    struct Vector {
        tensor::AlignedBuffer<float> buffer;
        std::size_t size = 0;
    };
    const tensor::PackedMatrix& matrix(MatrixRole role) const {
        return matrices_[static_cast<std::size_t>(role)];
    }
    void decode_vectors(const formats::ModelFile& file, const LayerPlan& plan, std::uint32_t layer);
    void decode_panel(const PanelTask& task, tensor::AlignedBuffer<float>& rows);
    void find_broken_weights(const PanelTask& task, tensor::MatrixView rows);
    void break_gates();

    std::array<tensor::PackedMatrix, matrix_roles> matrices_{
        tensor::PackedMatrix(tensor::Side::Right), tensor::PackedMatrix(tensor::Side::Right),
        tensor::PackedMatrix(tensor::Side::Right), tensor::PackedMatrix(tensor::Side::Right)};
    std::array<Vector, vector_roles> vectors_;
    std::vector<tensor::AlignedBuffer<float>> panel_rows_; ///< (thread)
    std::vector<BrokenWeight> broken_;
    std::mutex broken_mutex_;
};

} // namespace permafrost::model
