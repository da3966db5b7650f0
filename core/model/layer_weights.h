// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/thread_pool.h"
#include "core/formats/model_file.h"
#include "core/model/model_config.h"
#include "core/tensor/aligned_buffer.h"
#include "core/tensor/product.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace permafrost::model {

/// A weight of one FFN neuron that is not finite.
struct BrokenWeight {
    std::uint32_t neuron = 0;
    const char* tensor = ""; ///< "ffn_gate", "ffn_up" or "ffn_down"
    bool operator==(const BrokenWeight&) const = default;
};

/// The weights of one layer, decoded to f32. The memory is kept and filled anew for each layer.
class LayerWeights {
  public:
    /// Decodes layer `layer` with all threads and lets go of the file's pages. Returns false after a stop.
    /// FFN weights that are not finite are listed in broken(). Such a neuron's gate is made NaN at every token and its down
    /// column finite, so that the activation step can leave the neuron out and the other neurons go on.
    bool load(const formats::ModelFile& file, const ModelConfig& config, std::uint32_t layer,
              ThreadPool& pool, const std::stop_token& stop = {});

    const float* attention_norm() const { return attention_norm_.data(); }         ///< (hidden)
    const float* ffn_norm() const { return ffn_norm_.data(); }                     ///< (hidden)
    tensor::ConstMatrixView qkv() const { return view(qkv_, qkv_rows_, hidden_); } ///< (Q, K, V rows, hidden)
    tensor::ConstMatrixView attention_output() const { return view(attention_output_, hidden_, query_size_); }
    tensor::ConstMatrixView gate_up() const {
        return view(gate_up_, 2 * neurons_, hidden_);
    } ///< gate rows, then up rows
    tensor::ConstMatrixView down() const {
        return view(down_, hidden_, neurons_);
    } ///< (hidden, intermediate)
    std::size_t neurons() const { return neurons_; }
    const std::vector<BrokenWeight>& broken() const { return broken_; }

    /// Euclidean norm of each neuron's column of the down matrix, summed in f64 in row order.
    std::vector<float> down_norms(ThreadPool& pool) const;

    std::uint64_t bytes() const;

  private:
    static tensor::ConstMatrixView view(const tensor::AlignedBuffer<float>& buffer, std::size_t rows,
                                        std::size_t columns) {
        return {buffer.data(), rows, columns, columns};
    }
    void find_broken_weights(ThreadPool& pool);

    std::size_t hidden_ = 0, query_size_ = 0, qkv_rows_ = 0, neurons_ = 0;
    tensor::AlignedBuffer<float> attention_norm_, ffn_norm_, qkv_, attention_output_, gate_up_, down_;
    std::vector<BrokenWeight> broken_;
};

} // namespace permafrost::model
