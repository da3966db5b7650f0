// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ffn_layer.h"

#include "core/tensor/decode.h"
#include "core/tensor/elementwise.h"
#include "core/tensor/encode.h"

#include <algorithm>
#include <cstring>

namespace permafrost::model {
namespace {

using Run = ActiveNeurons::Run;

float activate(GateActivation activation, float gate) {
    return activation == GateActivation::GeluTanh ? tensor::gelu_tanh_f32(gate) : tensor::silu_f32(gate);
}

void append(std::vector<Run>& runs, std::size_t first, std::size_t count) {
    if (!runs.empty() && runs.back().first + runs.back().count == first)
        runs.back().count += count;
    else
        runs.push_back({first, count});
}

/// Runs cut into about equal pieces, a few for each thread.
std::vector<Run> pieces_of(std::span<const Run> runs, std::size_t threads) {
    constexpr std::size_t pieces_a_thread = 4, smallest = 16;
    std::size_t total = 0;
    for (const auto& run : runs) total += run.count;
    const auto size =
        std::max(smallest, (total + threads * pieces_a_thread - 1) / (threads * pieces_a_thread));
    std::vector<Run> pieces;
    for (const auto& run : runs)
        for (std::size_t begin = 0; begin < run.count; begin += size)
            pieces.push_back({run.first + begin, std::min(size, run.count - begin)});
    return pieces;
}

/// Many short runs are handed out together: one piece of work a run would cost more than the rows.
std::vector<std::vector<Run>> tasks_of(std::span<const Run> runs, std::size_t threads) {
    const auto pieces = pieces_of(runs, threads);
    std::size_t total = 0;
    for (const auto& piece : pieces) total += piece.count;
    const auto size = total / (threads * 4) + 1;
    std::vector<std::vector<Run>> tasks;
    std::size_t filled = size;
    for (const auto& piece : pieces) {
        if (filled >= size) {
            tasks.emplace_back();
            filled = 0;
        }
        tasks.back().push_back(piece);
        filled += piece.count;
    }
    return tasks;
}

} // namespace

ActiveNeurons::ActiveNeurons(const FfnMatrices& matrices, std::span<const std::uint32_t> frozen) {
    const auto neurons = matrices.neurons();
    const std::size_t block = tensor::row_dot_step(matrices.down.type);
    std::vector<std::uint8_t> active(neurons, 1);
    for (const auto neuron : frozen) active[neuron] = 0;
    for (std::size_t i = 0; i < neurons; ++i) {
        if (!active[i]) continue;
        append(rows_, i, 1);
        ++count_;
    }
    for (std::size_t begin = 0; begin < neurons; begin += block) {
        const auto end = std::min(neurons, begin + block);
        if (std::any_of(active.begin() + static_cast<std::ptrdiff_t>(begin),
                        active.begin() + static_cast<std::ptrdiff_t>(end),
                        [](auto flag) { return flag != 0; }))
            append(columns_, begin, end - begin);
    }
}

void FfnRunner::project(const FfnMatrices& layer, std::span<const Run> rows) {
    const auto gate_dot = tensor::row_dot(layer.gate.type), up_dot = tensor::row_dot(layer.up.type);
    const auto tasks = tasks_of(rows, pool_.threads());
    const auto x = x_.slice();
    const auto hidden = layer.hidden();
    pool_.parallel_for(tasks.size(), [&](std::size_t task, std::size_t thread) {
        for (const auto& run : tasks[task])
            for (std::size_t i = run.first; i < run.first + run.count; ++i) {
                float gate = 0, up = 0;
                if (gate_dot)
                    gate = gate_dot(layer.gate.row(i).data(), x, hidden);
                else
                    tensor::multiply_rows(layer.gate, i, 1, x_, &gate, decoded_[thread]);
                if (up_dot)
                    up = up_dot(layer.up.row(i).data(), x, hidden);
                else
                    tensor::multiply_rows(layer.up, i, 1, x_, &up, decoded_[thread]);
                gate_[i] = activate(layer.activation, gate) * up;
            }
    });
}

void FfnRunner::multiply_down(const FfnMatrices& layer, std::span<const Run> columns, std::span<float> y) {
    h_.set(std::span<const float>(gate_).first(layer.neurons()));
    const auto dot = tensor::row_dot(layer.down.type);
    const auto& type = tensor::info(layer.down.type);
    const bool all = columns.size() == 1 && columns.front().count == layer.neurons();
    const Run rows{0, layer.hidden()};
    const auto pieces = pieces_of({&rows, 1}, pool_.threads());
    pool_.parallel_for(pieces.size(), [&](std::size_t piece, std::size_t thread) {
        const auto [first, count] = pieces[piece];
        if (all || !dot)
            return tensor::multiply_rows(layer.down, first, count, h_, y.data() + first, decoded_[thread]);
        for (std::size_t r = first; r < first + count; ++r) {
            const auto row = layer.down.row(r);
            y[r] = 0;
            for (const auto& run : columns)
                y[r] += dot(row.data() + run.first / type.block_elements * type.block_bytes,
                            h_.slice().from(run.first), run.count);
        }
    });
}

void FfnRunner::run_two_products(const FfnMatrices& layer, std::span<const float> x, std::span<float> y) {
    x_.set(x);
    gate_.resize(layer.neurons());
    up_.resize(layer.neurons());
    const Run all{0, layer.neurons()};
    const auto pieces = pieces_of({&all, 1}, pool_.threads());
    for (const auto& [matrix, out] : {std::pair{&layer.gate, &gate_}, std::pair{&layer.up, &up_}})
        pool_.parallel_for(pieces.size(),
                           [&, matrix = matrix, out = out](std::size_t piece, std::size_t thread) {
                               tensor::multiply_rows(*matrix, pieces[piece].first, pieces[piece].count, x_,
                                                     out->data() + pieces[piece].first, decoded_[thread]);
                           });
    for (std::size_t i = 0; i < gate_.size(); ++i) gate_[i] = activate(layer.activation, gate_[i]) * up_[i];
    multiply_down(layer, {&all, 1}, y);
}

void FfnRunner::run_fused(const FfnMatrices& layer, std::span<const float> x, std::span<float> y) {
    x_.set(x);
    gate_.resize(layer.neurons());
    const Run all{0, layer.neurons()};
    project(layer, {&all, 1});
    multiply_down(layer, {&all, 1}, y);
}

void FfnRunner::run_masked(const FfnMatrices& layer, const ActiveNeurons& active, std::span<const float> x,
                           std::span<float> y) {
    x_.set(x);
    gate_.assign(layer.neurons(), 0.0f);
    project(layer, active.rows());
    multiply_down(layer, active.columns(), y);
}

CompactedFfn::CompactedFfn(const FfnMatrices& layer, std::span<const std::uint32_t> frozen) {
    std::vector<std::uint8_t> is_frozen(layer.neurons());
    for (const auto neuron : frozen) is_frozen[neuron] = 1;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < layer.neurons(); ++i)
        if (!is_frozen[i]) kept.push_back(i);
    const auto& type = tensor::info(layer.down.type);
    const std::size_t block = type.block_elements;
    const auto width = std::max<std::size_t>(1, (kept.size() + block - 1) / block) * block;
    const auto copy_rows = [&](const tensor::TensorView& from, std::vector<std::byte>& to) {
        to.resize(width * from.row_bytes());
        for (std::size_t i = 0; i < kept.size(); ++i)
            std::memcpy(to.data() + i * from.row_bytes(), from.row(kept[i]).data(), from.row_bytes());
        return tensor::TensorView{from.name, from.type, {width, from.columns()}, to, false};
    };
    matrices_.gate = copy_rows(layer.gate, gate_);
    matrices_.up = copy_rows(layer.up, up_);
    matrices_.activation = layer.activation;
    const auto row_bytes = width / block * type.block_bytes;
    down_.resize(layer.hidden() * row_bytes);
    std::vector<float> whole(layer.neurons()), chosen(width);
    for (std::size_t row = 0; row < layer.hidden(); ++row) {
        tensor::decode_rows(layer.down, row, 1, whole.data());
        for (std::size_t i = 0; i < kept.size(); ++i) chosen[i] = whole[kept[i]];
        tensor::encode(layer.down.type, chosen.data(), down_.data() + row * row_bytes, width);
    }
    matrices_.down = {layer.down.name, layer.down.type, {layer.hidden(), width}, down_, false};
}

} // namespace permafrost::model
