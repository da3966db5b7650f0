// SPDX-License-Identifier: GPL-3.0-or-later
//
// The forward pass, wave by wave and in a wave layer by layer: each layer's weights are decoded once for all tokens of the
// wave. Threads share a wave by tiles; within a tile everything is computed by one thread in a fixed order.
#pragma once

#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/model/layer_weights.h"
#include "core/model/model_config.h"
#include "core/model/rotary.h"
#include "core/model/stage_times.h"
#include "core/model/tile.h"
#include "core/tensor/aligned_buffer.h"
#include "core/tensor/product.h"
#include "core/text/corpus.h"

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace permafrost::model {

/// What the activation step of one tile works on: gate and up projections of every row of the tile.
struct FfnActivations {
    const Tile& tile;
    std::size_t tile_in_wave; ///< position of the tile in the wave
    std::size_t thread;
    GateActivation activation;
    tensor::MatrixView gate; ///< (rows, intermediate); holds h = activation(gate) * up afterwards
    tensor::ConstMatrixView up;
};
/// Replaces gate by h, in all rows, and may look at everything while it does.
using ActivationStep = std::function<void(FfnActivations&)>;

/// gate = activation(gate) * up and no more
void gated_product(FfnActivations& activations);

/// One variant of the model among those that go through a layer together. Branch 0 is the model as it is.
struct Branch {
    std::size_t states = 0; ///< whose hidden states it reads and writes
    bool forks = false;     ///< begins in this layer: up to the activations it is branch 0
    /// Changes h (rows, intermediate) between activation and down product; may be empty.
    std::function<void(tensor::MatrixView h)> edit;
};

class Forward {
  public:
    Forward(formats::ModelFilePtr file, ModelConfig config, ThreadPool& pool);
    ~Forward();

    const ModelConfig& config() const { return config_; }
    const formats::ModelFile& file() const { return *file_; }
    ThreadPool& pool() { return pool_; }
    /// Where run_layer() tells what its threads spend their time with; null, as it is at first: nowhere.
    void set_stage_times(StageTimes* times) { times_ = times; }

    /// Sets the wave's hidden states to the token embeddings. Errors: a token id outside the vocabulary. Cancelled.
    Result<void> begin_wave(const text::Corpus& corpus, std::span<const Tile> tiles,
                            const std::stop_token& stop = {});

    /// Decodes the layer's weights; they stay until the next load_layer(). False after a stop.
    bool load_layer(std::uint32_t layer, const std::stop_token& stop = {});
    const LayerWeights& weights() const { return weights_; }
    std::vector<float> down_norms() { return weights_.down_norms(pool_); }

    /// Runs the loaded layer over the wave: attention, then the FFN with `activation` between its products.
    /// False after a stop; the hidden states are then undefined.
    bool run_layer(const ActivationStep& activation, const std::stop_token& stop = {});

    /// Runs the loaded layer over the wave for several variants of the model, which share its decoded weights. Branch 0
    /// must be among them. A branch's values do not depend on the others. False after a stop.
    /// With `wanted_rows` (tile: rows in ascending order) the layer ends in these rows only, which are then the tile's first
    /// ones, one after another: all that the output head needs of the last layer.
    bool run_branches(std::span<const Branch> branches,
                      std::span<const std::vector<std::uint32_t>> wanted_rows = {},
                      const std::stop_token& stop = {});

    /// Hidden states of a tile of the wave: (rows, hidden).
    tensor::MatrixView hidden(std::size_t tile_in_wave, std::size_t branch = 0);

    /// Floating-point operations spent in matrix products so far.
    double operations() const { return operations_; }
    std::uint64_t weight_bytes() const { return weights_.bytes(); }
    std::uint64_t wave_bytes() const;
    std::uint64_t scratch_bytes() const;

  private:
    struct Scratch;
    /// Returns the rows of `hidden` that go on: all, or the `wanted` ones moved together.
    tensor::MatrixView run_attention(const Tile& tile, tensor::MatrixView hidden,
                                     const std::vector<std::uint32_t>* wanted, Scratch& scratch,
                                     const std::stop_token& stop);
    void attend_parts(const Tile& tile, tensor::MatrixView qkv, Scratch& scratch,
                      const std::stop_token& stop);
    void run_ffn(const Tile& tile, std::size_t tile_in_wave, std::size_t thread, tensor::MatrixView hidden,
                 Scratch& scratch, const ActivationStep& activation, const std::stop_token& stop);
    void run_ffn(const Tile& tile, std::size_t tile_in_wave, std::size_t thread, tensor::MatrixView hidden,
                 const Branch& branch, std::span<const Branch> forks, Scratch& scratch,
                 const std::stop_token& stop);
    /// Gate and up projections; in scratch.gate_up.
    FfnActivations project(const Tile& tile, std::size_t tile_in_wave, std::size_t thread,
                           tensor::MatrixView hidden, Scratch& scratch, const std::stop_token& stop);
    void take_operations();
    void normalise(tensor::MatrixView hidden, VectorRole weight, Scratch& scratch) const;
    /// Adds factor * weights^T + bias, normed where the family norms it, to the hidden states.
    void add_to_residual(const Tile& tile, const tensor::PackedMatrix& weights, VectorRole bias,
                         VectorRole post_norm, tensor::MatrixView hidden, Scratch& scratch,
                         const std::stop_token& stop) const;

    formats::ModelFilePtr file_;
    ModelConfig config_;
    ThreadPool& pool_;
    StageTimes* times_ = nullptr;
    LayerWeights weights_;
    std::vector<Tile> tiles_;
    std::vector<std::size_t> tile_offsets_; ///< (tile) first element in a branch's states
    std::size_t states_size_ = 0;
    std::vector<tensor::AlignedBuffer<float>> states_; ///< (branch)
    std::vector<Scratch> scratch_;                     ///< (thread)
    RotaryTable rotary_, local_rotary_;
    std::uint32_t layer_ = 0; ///< the one loaded
    double operations_ = 0;
};

} // namespace permafrost::model
