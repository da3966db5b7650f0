// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/thread_pool.h"
#include "core/formats/model_file.h"
#include "core/model/model_config.h"
#include "core/tensor/aligned_buffer.h"
#include "core/tensor/packed_matrix.h"

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

    const float* attention_norm() const { return attention_norm_.data(); } ///< (hidden)
    const float* ffn_norm() const { return ffn_norm_.data(); }             ///< (hidden)
    const tensor::PackedMatrix& qkv() const { return qkv_; }               ///< (Q, K, V rows, hidden)
    const tensor::PackedMatrix& attention_output() const { return attention_output_; } ///< (hidden, Q)
    const tensor::PackedMatrix& gate_up() const { return gate_up_; } ///< (gate rows, then up rows, hidden)
    const tensor::PackedMatrix& down() const { return down_; }       ///< (hidden, intermediate)
    std::size_t neurons() const { return down_.depth(); }
    const std::vector<BrokenWeight>& broken() const { return broken_; }

    /// Euclidean norm of each neuron's column of the down matrix, summed in f64 in row order.
    std::vector<float> down_norms(ThreadPool& pool) const;

    std::uint64_t bytes() const;

  private:
    struct RowRange;
    struct PanelTask;
    void decode_panel(const PanelTask& task, tensor::AlignedBuffer<float>& rows);
    void find_broken_weights(const PanelTask& task, tensor::MatrixView rows);
    void break_gates();

    tensor::AlignedBuffer<float> attention_norm_, ffn_norm_;
    tensor::PackedMatrix qkv_{tensor::Side::Right}, attention_output_{tensor::Side::Right},
        gate_up_{tensor::Side::Right}, down_{tensor::Side::Right};
    std::vector<tensor::AlignedBuffer<float>> panel_rows_; ///< (thread)
    std::vector<BrokenWeight> broken_;
    std::mutex broken_mutex_;
};

} // namespace permafrost::model
