// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ffn_layer.h"

#include "core/tensor/decode.h"
#include "core/tensor/elementwise.h"
#include "core/tensor/encode.h"

#include <algorithm>
#include <cstring>

namespace permafrost::model {
namespace {

float activate(GateActivation activation, float gate) {
    return activation == GateActivation::GeluTanh ? tensor::gelu_tanh_f32(gate) : tensor::silu_f32(gate);
}

/// Items are handed out in equal pieces, a few for each thread, so that one that is held up does not hold up all.
struct Pieces {
    std::size_t items, size, count;
    Pieces(std::size_t all, std::size_t threads)
        : items(all), size(std::max<std::size_t>(16, (all + threads * 4 - 1) / (threads * 4))),
          count((all + size - 1) / size) {}
    std::size_t begin(std::size_t piece) const { return piece * size; }
    std::size_t end(std::size_t piece) const { return std::min(items, (piece + 1) * size); }
};

constexpr std::size_t bytes_at_a_time = 32 << 10;

/// One row of any type times x.
class RowProduct {
  public:
    RowProduct(const tensor::TensorView& matrix, const tensor::RowInput& x)
        : matrix_(matrix), x_(x), slice_(x.slice()), dot_(tensor::row_dot(matrix.type)) {}
    const std::byte* row(std::size_t index) const { return matrix_.row(index).data(); }
    /// What will be needed soon when rows are read one after the other.
    const std::byte* after(std::size_t index) const {
        const auto bytes = matrix_.row_bytes();
        return matrix_.bytes.data() +
               std::min(index * bytes + tensor::bytes_ahead, matrix_.bytes.size() - bytes);
    }
    /// `ahead`: the row that will be asked for some time later, see tensor::rows_ahead().
    float operator()(std::size_t index, const std::byte* ahead, std::vector<float>& decoded) const {
        if (dot_) return dot_(row(index), ahead, slice_, matrix_.columns());
        float y = 0;
        tensor::multiply_rows(matrix_, index, 1, x_, &y, decoded);
        return y;
    }

  private:
    const tensor::TensorView& matrix_;
    const tensor::RowInput& x_;
    tensor::RowInput::Slice slice_;
    tensor::RowDot dot_;
};

} // namespace

ActiveNeurons::ActiveNeurons(const FfnMatrices& matrices, std::span<const std::uint32_t> frozen) {
    const auto neurons = matrices.neurons();
    // Memory arrives in pages and lines read ahead: leaving out less than this makes a row no faster.
    const std::size_t shortest_gap = std::max<std::size_t>(tensor::row_dot_step(matrices.down.type), 256);
    std::vector<std::uint8_t> is_frozen(neurons);
    for (const auto neuron : frozen) is_frozen[neuron] = 1;
    for (std::size_t begin = 0; begin < neurons; begin += shortest_gap) {
        const auto end = std::min(neurons, begin + shortest_gap), before = rows_.size();
        for (auto i = begin; i < end; ++i)
            if (!is_frozen[i]) rows_.push_back(static_cast<std::uint32_t>(i));
        if (rows_.size() == before) continue;
        if (!columns_.empty() && columns_.back().first + columns_.back().count == begin)
            columns_.back().count += end - begin;
        else
            columns_.push_back({begin, end - begin});
    }
}

void FfnRunner::multiply(const tensor::TensorView& matrix, std::vector<float>& out) {
    const RowProduct product(matrix, x_);
    const Pieces pieces(matrix.rows(), pool_.threads());
    pool_.parallel_for(pieces.count, [&](std::size_t piece, std::size_t thread) {
        for (auto row = pieces.begin(piece); row < pieces.end(piece); ++row)
            out[row] = product(row, product.after(row), decoded_[thread]);
    });
}

void FfnRunner::project(const FfnMatrices& layer, const std::vector<std::uint32_t>& neurons) {
    const RowProduct gate(layer.gate, x_), up(layer.up, x_);
    const Pieces pieces(neurons.size(), pool_.threads());
    const auto distance = tensor::rows_ahead(layer.gate.row_bytes());
    // Memory is read in long runs: some rows of one matrix, then the same rows of the other.
    const auto run_length = std::max(distance, bytes_at_a_time / layer.gate.row_bytes() + 1);
    pool_.parallel_for(pieces.count, [&](std::size_t piece, std::size_t thread) {
        const auto end = pieces.end(piece);
        auto& decoded = decoded_[thread];
        for (auto begin = pieces.begin(piece); begin < end; begin += run_length) {
            const auto run_end = std::min(begin + run_length, end);
            const auto length = run_end - begin;
            const auto follows = [&](std::size_t i) {
                return i + distance < run_end && neurons[i + distance] == neurons[i] + distance;
            };
            for (auto i = begin; i < run_end; ++i) {
                const auto later = i + distance;
                const auto* ahead = follows(i) ? gate.after(neurons[i])
                                    : later < run_end
                                        ? gate.row(neurons[later])
                                        : up.row(neurons[std::min(later - length, run_end - 1)]);
                h_values_[neurons[i]] = gate(neurons[i], ahead, decoded);
            }
            for (auto i = begin; i < run_end; ++i) {
                const auto later = i + distance;
                const auto* ahead =
                    later < run_end ? up.row(neurons[later]) : gate.row(neurons[std::min(later, end - 1)]);
                auto& h = h_values_[neurons[i]];
                h = activate(layer.activation, h) * up(neurons[i], ahead, decoded);
            }
        }
    });
}

void FfnRunner::multiply_down(const FfnMatrices& layer, std::span<const ActiveNeurons::Run> columns,
                              std::span<float> y) {
    h_.set(h_values_);
    const RowProduct whole_row(layer.down, h_);
    const auto dot = tensor::row_dot(layer.down.type);
    const auto& type = tensor::info(layer.down.type);
    const bool all = columns.size() == 1 && columns.front().count == layer.neurons();
    const Pieces pieces(layer.hidden(), pool_.threads());
    const auto distance = tensor::rows_ahead(layer.down.row_bytes());
    pool_.parallel_for(pieces.count, [&](std::size_t piece, std::size_t thread) {
        const auto end = pieces.end(piece);
        for (auto r = pieces.begin(piece); r < end; ++r) {
            const auto ahead = std::min(r + distance, end - 1);
            if (all || !dot) {
                y[r] = whole_row(r, whole_row.after(r), decoded_[thread]);
                continue;
            }
            const auto row = layer.down.row(r), later = layer.down.row(ahead);
            y[r] = 0;
            for (const auto& run : columns) {
                const auto offset = run.first / type.block_elements * type.block_bytes;
                y[r] +=
                    dot(row.data() + offset, later.data() + offset, h_.slice().from(run.first), run.count);
            }
        }
    });
}

void FfnRunner::run_two_products(const FfnMatrices& layer, std::span<const float> x, std::span<float> y) {
    const auto neurons = layer.neurons();
    x_.set(x);
    h_values_.resize(neurons);
    up_.resize(neurons);
    multiply(layer.gate, h_values_);
    multiply(layer.up, up_);
    const Pieces pieces(neurons, pool_.threads());
    pool_.parallel_for(pieces.count, [&](std::size_t piece, std::size_t) {
        for (auto i = pieces.begin(piece); i < pieces.end(piece); ++i)
            h_values_[i] = activate(layer.activation, h_values_[i]) * up_[i];
    });
    const ActiveNeurons::Run whole{0, neurons};
    multiply_down(layer, {&whole, 1}, y);
}

void FfnRunner::run_fused(const FfnMatrices& layer, const ActiveNeurons& active, std::span<const float> x,
                          std::span<float> y) {
    x_.set(x);
    h_values_.assign(layer.neurons(), 0.0f);
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
