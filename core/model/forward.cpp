// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/forward.h"

#include "core/model/attention.h"
#include "core/tensor/decode.h"
#include "core/tensor/elementwise.h"
#include "core/tensor/product.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

namespace permafrost::model {

struct Forward::Scratch {
    tensor::AlignedBuffer<float> normed;    ///< (rows, hidden)
    tensor::AlignedBuffer<float> qkv;       ///< (rows, Q | K | V)
    tensor::AlignedBuffer<float> attention; ///< (rows, Q)
    tensor::AlignedBuffer<float> gate_up;   ///< (rows, gate | up)
    tensor::PackedMatrix factor{tensor::Side::Left}; ///< what the next product multiplies
    AttentionScratch heads;
    double operations = 0;

    std::uint64_t bytes() const {
        return normed.bytes() + qkv.bytes() + attention.bytes() + gate_up.bytes() + factor.bytes() +
               heads.bytes();
    }
};

void swiglu(FfnActivations& activations) {
    for (std::size_t row = 0; row < activations.gate.rows; ++row) {
        float* gate = activations.gate.data + row * activations.gate.stride;
        const float* up = activations.up.data + row * activations.up.stride;
        for (std::size_t i = 0; i < activations.gate.columns; ++i)
            gate[i] = tensor::silu_f32(gate[i]) * up[i];
    }
}

Forward::Forward(formats::ModelFilePtr file, ModelConfig config, ThreadPool& pool)
    : file_(std::move(file)), config_(std::move(config)), pool_(pool) {
    scratch_.resize(pool.threads());
}
Forward::~Forward() = default;

void Forward::prepare_rotary(std::uint32_t positions) {
    if (positions <= rotary_positions_) return;
    const std::size_t half = config_.rotary_size / 2;
    rotary_cos_.resize(positions * half);
    rotary_sin_.resize(positions * half);
    for (std::size_t i = 0; i < half; ++i) {
        const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(config_.rotary_size);
        const double factor =
            config_.rotary_factors.empty() ? 1.0 : static_cast<double>(config_.rotary_factors[i]);
        const double frequency = std::pow(config_.rotary_base, exponent) / (factor * config_.rotary_scale);
        for (std::size_t position = 0; position < positions; ++position) {
            const double angle = static_cast<double>(position) * frequency;
            rotary_cos_[position * half + i] = static_cast<float>(std::cos(angle));
            rotary_sin_[position * half + i] = static_cast<float>(std::sin(angle));
        }
    }
    rotary_positions_ = positions;
}

Result<void> Forward::begin_wave(const text::Corpus& corpus, std::span<const Tile> tiles,
                                 const std::stop_token& stop) {
    tiles_.assign(tiles.begin(), tiles.end());
    tile_offsets_.clear();
    std::size_t elements = 0;
    std::uint32_t longest = 0;
    for (const auto& tile : tiles_) {
        tile_offsets_.push_back(elements);
        elements += std::size_t{tile.rows} * config_.hidden;
        for (const auto& part : tile.parts) longest = std::max(longest, part.length);
    }
    states_.ensure(elements);
    prepare_rotary(longest);

    const auto* embedding = file_->find("token_embd.weight");
    std::atomic<std::int64_t> wrong_token{-1};
    const bool done = pool_.parallel_for(
        tiles_.size(),
        [&](std::size_t index, std::size_t) {
            const auto& tile = tiles_[index];
            const auto states = hidden(index);
            std::fill_n(states.data + std::size_t{tile.tokens} * states.stride,
                        std::size_t{tile.rows - tile.tokens} * states.stride, 0.0f);
            for (const auto& part : tile.parts) {
                const auto& tokens = corpus.sequences[part.sequence].tokens;
                for (std::uint32_t t = 0; t < part.length; ++t) {
                    const auto token = tokens[t];
                    if (token < 0 || static_cast<std::uint32_t>(token) >= config_.vocabulary) {
                        wrong_token = token < 0 ? 0 : token;
                        return;
                    }
                    tensor::decode_rows(*embedding, static_cast<std::uint64_t>(token), 1,
                                        states.data + (part.first_row + t) * states.stride);
                }
            }
        },
        stop);
    MappedFile::drop_from_memory(embedding->bytes);
    if (wrong_token >= 0)
        return Error{"token " + std::to_string(wrong_token) + " is outside the vocabulary of " +
                     config_.name + " (" + std::to_string(config_.vocabulary) +
                     " tokens): the text was cut by another model's tokenizer"};
    if (!done) return Cancelled{};
    return {};
}

bool Forward::load_layer(std::uint32_t layer, const std::stop_token& stop) {
    return weights_.load(*file_, config_, layer, pool_, stop);
}

tensor::MatrixView Forward::hidden(std::size_t tile_in_wave) {
    return {states_.data() + tile_offsets_[tile_in_wave], tiles_[tile_in_wave].rows, config_.hidden,
            config_.hidden};
}

bool Forward::run_layer(const ActivationStep& activation, const std::stop_token& stop) {
    const bool done = pool_.parallel_for(
        tiles_.size(),
        [&](std::size_t index, std::size_t thread) {
            auto& scratch = scratch_[thread];
            const auto states = hidden(index);
            run_attention(tiles_[index], states, scratch, stop);
            if (!stop.stop_requested())
                run_ffn(tiles_[index], index, thread, states, scratch, activation, stop);
        },
        stop);
    for (auto& scratch : scratch_) {
        operations_ += scratch.operations;
        scratch.operations = 0;
    }
    return done;
}

void Forward::run_attention(const Tile& tile, tensor::MatrixView states, Scratch& scratch,
                            const std::stop_token& stop) {
    const std::size_t hidden_size = config_.hidden;
    const auto& qkv_weights = weights_.qkv();
    const std::size_t query_size = std::size_t{config_.heads} * config_.head_size;
    scratch.normed.ensure(states.rows * hidden_size);
    const auto qkv_stride = tensor::row_stride(qkv_weights.rows());
    scratch.qkv.ensure(states.rows * qkv_stride);
    scratch.attention.ensure(states.rows * query_size);
    // The largest of the layer's factors at once: buffers that grow step by step leave holes in the heap.
    scratch.factor.resize(states.rows, std::max({hidden_size, query_size, weights_.neurons()}));

    for (std::size_t row = 0; row < states.rows; ++row)
        tensor::rms_norm(states.data + row * states.stride, weights_.attention_norm(), config_.norm_epsilon,
                         hidden_size, scratch.normed.data() + row * hidden_size);
    const tensor::MatrixView qkv{scratch.qkv.data(), states.rows, qkv_weights.rows(), qkv_stride};
    scratch.factor.pack({scratch.normed.data(), states.rows, hidden_size, hidden_size});
    tensor::multiply(scratch.factor, qkv_weights, qkv, false, stop);
    scratch.operations += tensor::product_operations(states.rows, hidden_size, qkv_weights.rows());

    const std::size_t half = config_.rotary_size / 2;
    for (const auto& part : tile.parts) {
        for (std::uint32_t t = 0; t < part.length; ++t)
            rotate_heads(qkv.data + (part.first_row + t) * qkv.stride, config_.heads + config_.kv_heads,
                         config_, rotary_cos_.data() + t * half, rotary_sin_.data() + t * half);
        if (stop.stop_requested()) return;
        scratch.operations += attend(
            config_, {qkv.data + part.first_row * qkv.stride, part.length, qkv.columns, qkv.stride},
            {scratch.attention.data() + part.first_row * query_size, part.length, query_size, query_size},
            scratch.heads);
    }
    std::fill_n(scratch.attention.data() + std::size_t{tile.tokens} * query_size,
                std::size_t{tile.rows - tile.tokens} * query_size, 0.0f);
    scratch.factor.pack({scratch.attention.data(), states.rows, query_size, query_size});
    tensor::multiply(scratch.factor, weights_.attention_output(), states, true, stop);
    scratch.operations += tensor::product_operations(states.rows, query_size, hidden_size);
}

void Forward::run_ffn(const Tile& tile, std::size_t tile_in_wave, std::size_t thread,
                      tensor::MatrixView states, Scratch& scratch, const ActivationStep& activation,
                      const std::stop_token& stop) {
    const std::size_t hidden_size = config_.hidden;
    const std::size_t neurons = weights_.neurons();
    const auto stride = tensor::row_stride(2 * neurons);
    scratch.gate_up.ensure(states.rows * stride);
    for (std::size_t row = 0; row < states.rows; ++row)
        tensor::rms_norm(states.data + row * states.stride, weights_.ffn_norm(), config_.norm_epsilon,
                         hidden_size, scratch.normed.data() + row * hidden_size);
    const tensor::MatrixView gate_up{scratch.gate_up.data(), states.rows, 2 * neurons, stride};
    scratch.factor.pack({scratch.normed.data(), states.rows, hidden_size, hidden_size});
    tensor::multiply(scratch.factor, weights_.gate_up(), gate_up, false, stop);
    if (stop.stop_requested()) return;
    FfnActivations activations{tile,
                               tile_in_wave,
                               thread,
                               {gate_up.data, states.rows, neurons, gate_up.stride},
                               {gate_up.data + neurons, states.rows, neurons, gate_up.stride}};
    activation(activations);
    scratch.factor.pack(activations.gate);
    tensor::multiply(scratch.factor, weights_.down(), states, true, stop);
    scratch.operations += tensor::product_operations(states.rows, hidden_size, 3 * neurons);
}

std::uint64_t Forward::scratch_bytes() const {
    std::uint64_t bytes = (rotary_cos_.capacity() + rotary_sin_.capacity()) * sizeof(float);
    for (const auto& scratch : scratch_) bytes += scratch.bytes();
    return bytes;
}

} // namespace permafrost::model
