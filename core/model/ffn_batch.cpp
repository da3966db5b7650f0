// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ffn_batch.h"

#include "core/tensor/decode.h"
#include "core/tensor/elementwise.h"
#include "core/tensor/product.h"

#include <algorithm>

namespace permafrost::model {
namespace {

/// Rows of weights that are decoded at a time: whole panels of the product kernel.
std::size_t rows_at_once(const tensor::PackedMatrix& weights) { return 4 * weights.panel_rows(); }

std::size_t pieces(std::size_t count, std::size_t size) { return (count + size - 1) / size; }

template <class Function>
void multiply_gates(tensor::MatrixView gate, const float* up, Function function) {
    for (std::size_t row = 0; row < gate.rows; ++row, up += gate.columns)
        for (std::size_t i = 0; i < gate.columns; ++i) {
            float& value = gate.data[row * gate.stride + i];
            value = function(value) * up[i];
        }
}

} // namespace

FfnBatch::FfnBatch(ThreadPool& pool) : pool_(pool), scratch_(pool.threads()) {}

void FfnBatch::pack(tensor::PackedMatrix& packed, tensor::ConstMatrixView source) {
    packed.resize(source.rows, source.columns);
    pool_.parallel_for(packed.panels(), [&](std::size_t panel, std::size_t) {
        const auto first = panel * packed.panel_rows();
        packed.pack_panel(panel, {source.data + first * source.stride,
                                  std::min(packed.panel_rows(), source.rows - first), source.columns,
                                  source.stride});
    });
}

void FfnBatch::project(const FfnMatrices& layer, const std::vector<std::uint32_t>& neurons) {
    const auto hidden = layer.hidden(), tokens = x_.rows();
    const auto step = rows_at_once(scratch_.front().weights);
    pool_.parallel_for(pieces(neurons.size(), step), [&](std::size_t piece, std::size_t thread) {
        auto& [rows, up, weights] = scratch_[thread];
        const auto first = piece * step, count = std::min(step, neurons.size() - first);
        rows.resize(count * hidden);
        up.resize(tokens * count);
        const auto multiply = [&](const tensor::TensorView& matrix, tensor::MatrixView out) {
            for (std::size_t i = 0; i < count; ++i)
                tensor::decode_rows(matrix, neurons[first + i], 1, rows.data() + i * hidden);
            weights.pack({rows.data(), count, hidden, hidden});
            tensor::multiply(x_, weights, out);
        };
        const tensor::MatrixView gate{activations_.data() + first, tokens, count, neurons.size()};
        multiply(layer.up, {up.data(), tokens, count, count});
        multiply(layer.gate, gate);
        if (layer.activation == GateActivation::GeluTanh)
            multiply_gates(gate, up.data(), [](float x) { return tensor::gelu_tanh_f32(x); });
        else
            multiply_gates(gate, up.data(), [](float x) { return tensor::silu_f32(x); });
    });
}

void FfnBatch::multiply_down(const FfnMatrices& layer, const std::vector<std::uint32_t>& neurons,
                             tensor::MatrixView y) {
    const auto all = layer.neurons(), width = neurons.size();
    const auto step = rows_at_once(scratch_.front().weights);
    pool_.parallel_for(pieces(y.columns, step), [&](std::size_t piece, std::size_t thread) {
        auto& [rows, whole, weights] = scratch_[thread];
        const auto first = piece * step, count = std::min(step, y.columns - first);
        rows.resize(count * width);
        whole.resize(all);
        for (std::size_t i = 0; i < count; ++i) {
            float* row = rows.data() + i * width;
            if (width == all) {
                tensor::decode_rows(layer.down, first + i, 1, row);
                continue;
            }
            tensor::decode_rows(layer.down, first + i, 1, whole.data());
            for (std::size_t n = 0; n < width; ++n) row[n] = whole[neurons[n]];
        }
        weights.pack({rows.data(), count, width, width});
        tensor::multiply(h_, weights, {y.data + first, y.rows, count, y.stride});
    });
}

void FfnBatch::run(const FfnMatrices& layer, const ActiveNeurons& active, tensor::ConstMatrixView x,
                   tensor::MatrixView y) {
    const auto& neurons = active.rows();
    if (neurons.empty()) {
        for (std::size_t row = 0; row < y.rows; ++row) std::fill_n(y.data + row * y.stride, y.columns, 0.0f);
        return;
    }
    pack(x_, x);
    activations_.resize(x.rows * neurons.size());
    project(layer, neurons);
    pack(h_, {activations_.data(), x.rows, neurons.size(), neurons.size()});
    multiply_down(layer, neurons, y);
}

} // namespace permafrost::model
