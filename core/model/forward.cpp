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
    tensor::AlignedBuffer<float> edited;    ///< (rows, intermediate) h of a branch that forks here
    tensor::AlignedBuffer<float> output;    ///< (rows, hidden) of a block, where it is normed before the sum
    tensor::PackedMatrix factor{tensor::Side::Left}; ///< what the next product multiplies
    AttentionScratch heads;
    double operations = 0;
    StageTimer timer;

    std::uint64_t bytes() const {
        return normed.bytes() + qkv.bytes() + attention.bytes() + gate_up.bytes() + edited.bytes() +
               output.bytes() + factor.bytes() + heads.bytes();
    }
};

namespace {

template <class Function>
void multiply_gates(FfnActivations& activations, Function function) {
    for (std::size_t row = 0; row < activations.gate.rows; ++row) {
        float* gate = activations.gate.data + row * activations.gate.stride;
        const float* up = activations.up.data + row * activations.up.stride;
        for (std::size_t i = 0; i < activations.gate.columns; ++i) gate[i] = function(gate[i]) * up[i];
    }
}

// Rows of `values` that hold a token; the tile's padding is at its end.
std::size_t token_rows(const Tile& tile, tensor::MatrixView values) {
    return std::min<std::size_t>(tile.tokens, values.rows);
}

void add_bias(tensor::MatrixView values, const Tile& tile, const float* bias) {
    if (!bias) return;
    for (std::size_t row = 0; row < token_rows(tile, values); ++row)
        for (std::size_t i = 0; i < values.columns; ++i) values.data[row * values.stride + i] += bias[i];
}

/// Moves the rows `wanted`, which ascend, to the top.
tensor::MatrixView move_together(tensor::MatrixView values, const std::vector<std::uint32_t>& wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i] != i)
            std::copy_n(values.data + wanted[i] * values.stride, values.columns,
                        values.data + i * values.stride);
    values.rows = wanted.size();
    return values;
}

void norm_heads(float* heads, std::size_t count, std::size_t size, const float* weight, float epsilon) {
    for (std::size_t head = 0; head < count; ++head)
        tensor::rms_norm(heads + head * size, weight, epsilon, size, heads + head * size);
}

} // namespace

void gated_product(FfnActivations& activations) {
    if (activations.activation == GateActivation::GeluTanh)
        multiply_gates(activations, [](float x) { return tensor::gelu_tanh_f32(x); });
    else
        multiply_gates(activations, [](float x) { return tensor::silu_f32(x); });
}

Forward::Forward(formats::ModelFilePtr file, ModelConfig config, ThreadPool& pool)
    : file_(std::move(file)), config_(std::move(config)), pool_(pool), rotary_(config_.rotary),
      local_rotary_(config_.local_rotary) {
    scratch_.resize(pool.threads());
}
Forward::~Forward() = default;

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
    states_size_ = elements;
    states_.resize(1); // branches of the last wave are over
    states_[0].ensure(elements);
    rotary_.prepare(longest);
    if (std::any_of(config_.attention.begin(), config_.attention.end(),
                    [](const auto& layer) { return layer.local_rotary; }))
        local_rotary_.prepare(longest);

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
                    float* row = states.data + (part.first_row + t) * states.stride;
                    tensor::decode_rows(*embedding, static_cast<std::uint64_t>(token), 1, row);
                    if (config_.embedding_scale != 1.0f)
                        for (std::size_t i = 0; i < states.columns; ++i) row[i] *= config_.embedding_scale;
                }
            }
        },
        stop);
    if (embedding->in_file) MappedFile::drop_from_memory(embedding->bytes);
    if (wrong_token >= 0)
        return Error{"token " + std::to_string(wrong_token) + " is outside the vocabulary of " +
                     config_.name + " (" + std::to_string(config_.vocabulary) +
                     " tokens): the text was cut by another model's tokenizer"};
    if (!done) return Cancelled{};
    return {};
}

bool Forward::load_layer(std::uint32_t layer, const std::stop_token& stop) {
    layer_ = layer;
    return weights_.load(*file_, config_, layer, pool_, stop);
}

tensor::MatrixView Forward::hidden(std::size_t tile_in_wave, std::size_t branch) {
    return {states_[branch].data() + tile_offsets_[tile_in_wave], tiles_[tile_in_wave].rows, config_.hidden,
            config_.hidden};
}

void Forward::take_operations() {
    for (auto& scratch : scratch_) {
        operations_ += scratch.operations;
        scratch.operations = 0;
    }
}

bool Forward::run_layer(const ActivationStep& activation, const std::stop_token& stop) {
    const bool done = pool_.parallel_for(
        tiles_.size(),
        [&](std::size_t index, std::size_t thread) {
            auto& scratch = scratch_[thread];
            scratch.timer = {times_, thread};
            const auto states = hidden(index);
            run_attention(tiles_[index], states, nullptr, scratch, stop);
            if (!stop.stop_requested())
                run_ffn(tiles_[index], index, thread, states, scratch, activation, stop);
        },
        stop);
    take_operations();
    return done;
}

bool Forward::run_branches(std::span<const Branch> branches,
                           std::span<const std::vector<std::uint32_t>> wanted_rows,
                           const std::stop_token& stop) {
    std::vector<Branch> forks, running;
    for (const auto& branch : branches) {
        (branch.forks ? forks : running).push_back(branch);
        if (branch.states >= states_.size()) states_.resize(branch.states + 1);
        states_[branch.states].ensure(states_size_);
    }
    const bool done = pool_.parallel_for(
        tiles_.size() * running.size(),
        [&](std::size_t index, std::size_t thread) {
            const auto tile = index % tiles_.size();
            const auto& branch = running[index / tiles_.size()];
            auto& scratch = scratch_[thread];
            const auto states =
                run_attention(tiles_[tile], hidden(tile, branch.states),
                              wanted_rows.empty() ? nullptr : &wanted_rows[tile], scratch, stop);
            if (!stop.stop_requested() && states.rows != 0)
                run_ffn(tiles_[tile], tile, thread, states, branch,
                        branch.states == 0 ? std::span<const Branch>(forks) : std::span<const Branch>{},
                        scratch, stop);
        },
        stop);
    take_operations();
    return done;
}

void Forward::normalise(tensor::MatrixView states, VectorRole weight, Scratch& scratch) const {
    scratch.normed.ensure(states.rows * states.columns);
    for (std::size_t row = 0; row < states.rows; ++row)
        tensor::rms_norm(states.data + row * states.stride, weights_.vector(weight), config_.norm_epsilon,
                         states.columns, scratch.normed.data() + row * states.columns);
    scratch.factor.pack({scratch.normed.data(), states.rows, states.columns, states.columns});
    scratch.timer.end(Stage::Norms);
}

void Forward::add_to_residual(const Tile& tile, const tensor::PackedMatrix& weights, VectorRole bias,
                              VectorRole post_norm, tensor::MatrixView states, Scratch& scratch,
                              const std::stop_token& stop) const {
    scratch.operations += tensor::product_operations(states.rows, weights.depth(), weights.rows());
    const float* norm = weights_.vector(post_norm);
    if (!norm) {
        tensor::multiply(scratch.factor, weights, states, true, stop);
        add_bias(states, tile, weights_.vector(bias));
        return;
    }
    scratch.output.ensure(states.rows * states.columns);
    const tensor::MatrixView output{scratch.output.data(), states.rows, states.columns, states.columns};
    tensor::multiply(scratch.factor, weights, output, false, stop);
    add_bias(output, tile, weights_.vector(bias));
    for (std::size_t row = 0; row < token_rows(tile, output); ++row) {
        float* values = output.data + row * output.stride;
        float* state = states.data + row * states.stride;
        tensor::rms_norm(values, norm, config_.norm_epsilon, output.columns, values);
        for (std::size_t i = 0; i < output.columns; ++i) state[i] += values[i];
    }
}

tensor::MatrixView Forward::run_attention(const Tile& tile, tensor::MatrixView states,
                                          const std::vector<std::uint32_t>* wanted, Scratch& scratch,
                                          const std::stop_token& stop) {
    const auto& attention = config_.attention[layer_];
    // The largest of the layer's factors at once: buffers that grow step by step leave holes in the heap.
    scratch.factor.resize(states.rows,
                          std::max({states.columns, config_.query_size(layer_), weights_.neurons()}));
    const auto going_on = [&] { return wanted ? move_together(states, *wanted) : states; };
    if (attention.heads == 0) return going_on();
    auto rows = states;
    if (attention.kv_heads == 0) {
        rows = going_on();
        normalise(rows, VectorRole::AttentionNorm, scratch);
    } else {
        normalise(states, VectorRole::AttentionNorm, scratch);
        const auto& weights = weights_.qkv();
        const auto stride = tensor::row_stride(weights.rows());
        scratch.qkv.ensure(states.rows * stride);
        const tensor::MatrixView qkv{scratch.qkv.data(), states.rows, weights.rows(), stride};
        tensor::multiply(scratch.factor, weights, qkv, false, stop);
        scratch.operations += tensor::product_operations(states.rows, states.columns, weights.rows());
        add_bias(qkv, tile, weights_.vector(VectorRole::QkvBias));
        scratch.timer.end(Stage::AttentionProducts);
        attend_parts(tile, qkv, scratch, stop);
        scratch.timer.end(Stage::AttentionHeads);
        if (stop.stop_requested()) return states;
        const std::size_t query_size = config_.query_size(layer_);
        const tensor::MatrixView found{scratch.attention.data(), states.rows, query_size, query_size};
        scratch.factor.pack(wanted ? move_together(found, *wanted) : found);
        rows = going_on();
    }
    if (rows.rows != 0)
        add_to_residual(tile, weights_.attention_output(), VectorRole::AttentionOutputBias,
                        VectorRole::PostAttentionNorm, rows, scratch, stop);
    scratch.timer.end(Stage::AttentionProducts);
    return rows;
}

// Leaves what the heads found in scratch.attention.
void Forward::attend_parts(const Tile& tile, tensor::MatrixView qkv, Scratch& scratch,
                           const std::stop_token& stop) {
    const auto& layer = config_.attention[layer_];
    const AttentionShape shape{layer.heads,  layer.kv_heads,          config_.head_size,
                               layer.window, config_.attention_scale, config_.attention_softcap};
    const auto& rotary = layer.local_rotary ? local_rotary_ : rotary_;
    const std::size_t query_size = config_.query_size(layer_);
    scratch.attention.ensure(qkv.rows * query_size);
    for (const auto& part : tile.parts) {
        for (std::uint32_t t = 0; t < part.length; ++t) {
            float* query = qkv.data + (part.first_row + t) * qkv.stride;
            float* key = query + query_size;
            if (const float* norm = weights_.vector(VectorRole::QueryNorm))
                norm_heads(query, layer.heads, config_.head_size, norm, config_.norm_epsilon);
            if (const float* norm = weights_.vector(VectorRole::KeyNorm))
                norm_heads(key, layer.kv_heads, config_.head_size, norm, config_.norm_epsilon);
            rotate_heads(query, layer.heads + layer.kv_heads, config_.head_size, rotary.size(),
                         config_.family->rotary_pairs, rotary.cosines(t, part.length),
                         rotary.sines(t, part.length));
        }
        if (stop.stop_requested()) return;
        scratch.operations += attend(
            shape, {qkv.data + part.first_row * qkv.stride, part.length, qkv.columns, qkv.stride},
            {scratch.attention.data() + part.first_row * query_size, part.length, query_size, query_size},
            scratch.heads);
    }
    std::fill_n(scratch.attention.data() + std::size_t{tile.tokens} * query_size,
                (qkv.rows - tile.tokens) * query_size, 0.0f);
}

FfnActivations Forward::project(const Tile& tile, std::size_t tile_in_wave, std::size_t thread,
                                tensor::MatrixView states, Scratch& scratch, const std::stop_token& stop) {
    const std::size_t neurons = weights_.neurons();
    const auto stride = tensor::row_stride(2 * neurons);
    scratch.gate_up.ensure(states.rows * stride);
    normalise(states, VectorRole::FfnNorm, scratch);
    const tensor::MatrixView gate_up{scratch.gate_up.data(), states.rows, 2 * neurons, stride};
    tensor::multiply(scratch.factor, weights_.gate_up(), gate_up, false, stop);
    scratch.operations += tensor::product_operations(states.rows, states.columns, 2 * neurons);
    add_bias(gate_up, tile, weights_.vector(VectorRole::GateUpBias));
    scratch.timer.end(Stage::FfnProducts);
    return {tile,
            tile_in_wave,
            thread,
            config_.family->activation,
            {gate_up.data, states.rows, neurons, gate_up.stride},
            {gate_up.data + neurons, states.rows, neurons, gate_up.stride}};
}

void Forward::run_ffn(const Tile& tile, std::size_t tile_in_wave, std::size_t thread,
                      tensor::MatrixView states, Scratch& scratch, const ActivationStep& activation,
                      const std::stop_token& stop) {
    auto activations = project(tile, tile_in_wave, thread, states, scratch, stop);
    if (stop.stop_requested()) return;
    activation(activations);
    scratch.timer.end(Stage::Statistics);
    scratch.factor.pack(activations.gate);
    add_to_residual(tile, weights_.down(), VectorRole::DownBias, VectorRole::PostFfnNorm, states, scratch,
                    stop);
    scratch.timer.end(Stage::FfnProducts);
}

void Forward::run_ffn(const Tile& tile, std::size_t tile_in_wave, std::size_t thread,
                      tensor::MatrixView states, const Branch& branch, std::span<const Branch> forks,
                      Scratch& scratch, const std::stop_token& stop) {
    auto activations = project(tile, tile_in_wave, thread, states, scratch, stop);
    if (stop.stop_requested()) return;
    gated_product(activations);
    const auto& h = activations.gate;
    const auto finish = [&](tensor::MatrixView values, tensor::MatrixView target) {
        scratch.factor.pack(values);
        add_to_residual(tile, weights_.down(), VectorRole::DownBias, VectorRole::PostFfnNorm, target, scratch,
                        stop);
    };
    for (const auto& fork : forks) {
        scratch.edited.ensure(h.rows * h.columns);
        const tensor::MatrixView edited{scratch.edited.data(), h.rows, h.columns, h.columns};
        for (std::size_t row = 0; row < h.rows; ++row)
            std::copy_n(h.data + row * h.stride, h.columns, edited.data + row * edited.stride);
        fork.edit(edited);
        const auto target = hidden(tile_in_wave, fork.states);
        std::copy_n(states.data, states.rows * states.columns, target.data);
        finish(edited, target);
        if (stop.stop_requested()) return;
    }
    if (branch.edit) branch.edit(h);
    finish(h, states);
}

std::uint64_t Forward::wave_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& states : states_) bytes += states.bytes();
    return bytes;
}

std::uint64_t Forward::scratch_bytes() const {
    std::uint64_t bytes = rotary_.bytes() + local_rotary_.bytes();
    for (const auto& scratch : scratch_) bytes += scratch.bytes();
    return bytes;
}

} // namespace permafrost::model
