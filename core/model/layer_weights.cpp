// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_weights.h"

#include "core/tensor/decode.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace permafrost::model {
namespace {

bool all_finite(const float* values, std::size_t count) {
    // x - x is 0 for finite x and NaN otherwise; the loop vectorises.
    int broken = 0;
    for (std::size_t i = 0; i < count; ++i) broken |= !(values[i] - values[i] == 0.0f);
    return broken == 0;
}

void let_go(const tensor::TensorView& view) {
    if (view.in_file) MappedFile::drop_from_memory(view.bytes);
}

} // namespace

// Rows of one tensor that stand in a matrix from `first_row` on.
struct LayerWeights::RowRange {
    const tensor::TensorView* source;
    std::size_t first_row;
};

struct LayerWeights::PanelTask {
    MatrixRole role;
    const std::vector<RowRange>* ranges; ///< ascending
    std::size_t panel;
};

void LayerWeights::decode_vectors(const formats::ModelFile& file, const LayerPlan& plan,
                                  std::uint32_t layer) {
    for (std::size_t role = 0; role < vector_roles; ++role) {
        auto& vector = vectors_[role];
        std::size_t size = 0;
        bool any = false;
        for (const auto& part : plan.vectors[role]) {
            size += part.rows;
            any = any || file.find(layer_tensor_name(layer, part.name)) != nullptr;
        }
        vector.size = any ? size : 0;
        if (!any) continue;
        vector.buffer.ensure(size);
        float* values = vector.buffer.data();
        for (const auto& part : plan.vectors[role]) {
            if (const auto* view = file.find(layer_tensor_name(layer, part.name))) {
                tensor::decode(view->type, view->bytes.data(), values, part.rows);
                let_go(*view);
            } else {
                std::fill_n(values, part.rows, 0.0f);
            }
            values += part.rows;
        }
    }
}

bool LayerWeights::load(const formats::ModelFile& file, const ModelConfig& config, std::uint32_t layer,
                        ThreadPool& pool, const std::stop_token& stop) {
    const auto plan = plan_layer(file, config, layer);
    decode_vectors(file, plan, layer);

    std::array<std::vector<RowRange>, matrix_roles> ranges;
    std::vector<PanelTask> tasks;
    std::size_t deepest = 0;
    for (std::size_t role = 0; role < matrix_roles; ++role) {
        const auto& matrix = plan.matrices[role];
        std::size_t row = 0;
        for (const auto& part : matrix.parts) {
            ranges[role].push_back({file.find(layer_tensor_name(layer, part.name)), row});
            row += part.rows;
        }
        matrices_[role].resize(row, matrix.columns);
        deepest = std::max<std::size_t>(deepest, matrix.columns);
        for (std::size_t panel = 0; panel < matrices_[role].panels(); ++panel)
            tasks.push_back({static_cast<MatrixRole>(role), &ranges[role], panel});
    }

    broken_.clear();
    panel_rows_.resize(pool.threads());
    const bool done = pool.parallel_for(
        tasks.size(),
        [&](std::size_t index, std::size_t thread) {
            panel_rows_[thread].ensure(down().panel_rows() * deepest);
            decode_panel(tasks[index], panel_rows_[thread]);
        },
        stop);
    // The pages stay in the system's file cache, so the next wave reads them from memory.
    for (const auto& sources : ranges)
        for (const auto& range : sources) let_go(*range.source);
    if (done) break_gates();
    return done;
}

void LayerWeights::decode_panel(const PanelTask& task, tensor::AlignedBuffer<float>& buffer) {
    auto& target = matrices_[static_cast<std::size_t>(task.role)];
    const auto depth = target.depth();
    const auto first = task.panel * target.panel_rows();
    const tensor::MatrixView rows{buffer.data(), std::min(target.panel_rows(), target.rows() - first), depth,
                                  depth};
    auto range = task.ranges->begin();
    for (std::size_t row = 0; row < rows.rows; ++row) {
        while (range + 1 != task.ranges->end() && first + row >= (range + 1)->first_row) ++range;
        tensor::decode_rows(*range->source, first + row - range->first_row, 1, rows.data + row * depth);
    }
    if (task.role == MatrixRole::GateUp || task.role == MatrixRole::Down) find_broken_weights(task, rows);
    target.pack_panel(task.panel, rows);
}

void LayerWeights::find_broken_weights(const PanelTask& task, tensor::MatrixView rows) {
    const auto report = [&](std::size_t neuron, const char* tensor) {
        const std::scoped_lock lock(broken_mutex_);
        broken_.push_back({static_cast<std::uint32_t>(neuron), tensor});
    };
    for (std::size_t row = 0; row < rows.rows; ++row) {
        float* values = rows.data + row * rows.stride;
        if (all_finite(values, rows.columns)) continue;
        if (task.role == MatrixRole::GateUp) {
            const auto weight_row = task.panel * gate_up().panel_rows() + row;
            report(weight_row % neurons(), weight_row < neurons() ? "ffn_gate" : "ffn_up");
            continue;
        }
        for (std::size_t neuron = 0; neuron < rows.columns; ++neuron)
            if (!std::isfinite(values[neuron])) {
                values[neuron] = 0;
                report(neuron, "ffn_down");
            }
    }
}

// Whichever of its weights is broken, the neuron's activations shall be too.
void LayerWeights::break_gates() {
    for (const auto& weight : broken_)
        matrices_[static_cast<std::size_t>(MatrixRole::GateUp)].at(weight.neuron, 0) =
            std::numeric_limits<float>::quiet_NaN();
    std::sort(broken_.begin(), broken_.end(), [](const BrokenWeight& a, const BrokenWeight& b) {
        return std::pair(a.neuron, std::string_view(a.tensor)) <
               std::pair(b.neuron, std::string_view(b.tensor));
    });
    broken_.erase(std::unique(broken_.begin(), broken_.end()), broken_.end());
}

std::vector<float> LayerWeights::down_norms(ThreadPool& pool) const {
    constexpr std::size_t block = 256;
    std::vector<float> norms(neurons());
    pool.parallel_for((neurons() + block - 1) / block, [&](std::size_t index, std::size_t) {
        const auto first = index * block;
        const auto count = std::min(block, neurons() - first);
        const auto width = down().panel_rows();
        double sums[block] = {};
        for (std::size_t panel = 0; panel < down().panels(); ++panel) {
            const float* values = down().panel(panel) + first * width; // rows past the last are zero
            for (std::size_t i = 0; i < count; ++i)
                for (std::size_t row = 0; row < width; ++row) {
                    const auto value = static_cast<double>(values[i * width + row]);
                    sums[i] += value * value;
                }
        }
        for (std::size_t i = 0; i < count; ++i) norms[first + i] = static_cast<float>(std::sqrt(sums[i]));
    });
    return norms;
}

std::uint64_t LayerWeights::bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& matrix : matrices_) bytes += matrix.bytes();
    for (const auto& vector : vectors_) bytes += vector.buffer.bytes();
    for (const auto& rows : panel_rows_) bytes += rows.bytes();
    return bytes;
}

} // namespace permafrost::model
