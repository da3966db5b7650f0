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

} // namespace

// Rows of one tensor that stand in a matrix from `first_row` on.
struct LayerWeights::RowRange {
    const tensor::TensorView* source;
    std::size_t first_row;
};

struct LayerWeights::PanelTask {
    tensor::PackedMatrix* target;
    const std::vector<RowRange>* ranges; ///< ascending
    std::size_t panel;
};

bool LayerWeights::load(const formats::ModelFile& file, const ModelConfig& config, std::uint32_t layer,
                        ThreadPool& pool, const std::stop_token& stop) {
    const std::size_t hidden = config.hidden, neurons = config.intermediate[layer];
    const std::size_t query_size = std::size_t{config.heads} * config.head_size;
    const std::size_t kv_size = std::size_t{config.kv_heads} * config.head_size;
    const auto prefix = "blk." + std::to_string(layer) + ".";
    const auto find = [&](const char* name) { return file.find(prefix + name + ".weight"); };

    std::vector<const tensor::TensorView*> sources;
    for (const auto& [name, target] :
         {std::pair{"attn_norm", &attention_norm_}, std::pair{"ffn_norm", &ffn_norm_}}) {
        target->ensure(hidden);
        sources.push_back(find(name));
        tensor::decode(sources.back()->type, sources.back()->bytes.data(), target->data(), hidden);
    }

    const std::vector<RowRange> qkv{
        {find("attn_q"), 0}, {find("attn_k"), query_size}, {find("attn_v"), query_size + kv_size}},
        output{{find("attn_output"), 0}}, gate_up{{find("ffn_gate"), 0}, {find("ffn_up"), neurons}},
        down{{find("ffn_down"), 0}};
    qkv_.resize(query_size + 2 * kv_size, hidden);
    attention_output_.resize(hidden, query_size);
    gate_up_.resize(2 * neurons, hidden);
    down_.resize(hidden, neurons);
    std::vector<PanelTask> tasks;
    for (const auto& [target, ranges] : {std::pair{&qkv_, &qkv}, std::pair{&attention_output_, &output},
                                         std::pair{&gate_up_, &gate_up}, std::pair{&down_, &down}}) {
        for (const auto& range : *ranges) sources.push_back(range.source);
        for (std::size_t panel = 0; panel < target->panels(); ++panel)
            tasks.push_back({target, ranges, panel});
    }

    broken_.clear();
    panel_rows_.resize(pool.threads());
    const bool done = pool.parallel_for(
        tasks.size(),
        [&](std::size_t index, std::size_t thread) {
            panel_rows_[thread].ensure(down_.panel_rows() * std::max({hidden, query_size, neurons}));
            decode_panel(tasks[index], panel_rows_[thread]);
        },
        stop);
    // The pages stay in the system's file cache, so the next wave reads them from memory.
    for (const auto* source : sources) MappedFile::drop_from_memory(source->bytes);
    if (done) break_gates();
    return done;
}

void LayerWeights::decode_panel(const PanelTask& task, tensor::AlignedBuffer<float>& buffer) {
    auto& target = *task.target;
    const auto depth = target.depth();
    const auto first = task.panel * target.panel_rows();
    const tensor::MatrixView rows{buffer.data(), std::min(target.panel_rows(), target.rows() - first), depth,
                                  depth};
    auto range = task.ranges->begin();
    for (std::size_t row = 0; row < rows.rows; ++row) {
        while (range + 1 != task.ranges->end() && first + row >= (range + 1)->first_row) ++range;
        tensor::decode_rows(*range->source, first + row - range->first_row, 1, rows.data + row * depth);
    }
    if (&target == &gate_up_ || &target == &down_) find_broken_weights(task, rows);
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
        if (task.target == &gate_up_) {
            const auto weight_row = task.panel * gate_up_.panel_rows() + row;
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
        gate_up_.at(weight.neuron, 0) = std::numeric_limits<float>::quiet_NaN();
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
        const auto width = down_.panel_rows();
        double sums[block] = {};
        for (std::size_t panel = 0; panel < down_.panels(); ++panel) {
            const float* values = down_.panel(panel) + first * width; // rows past the last are zero
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
    std::uint64_t bytes = attention_norm_.bytes() + ffn_norm_.bytes() + qkv_.bytes() +
                          attention_output_.bytes() + gate_up_.bytes() + down_.bytes();
    for (const auto& rows : panel_rows_) bytes += rows.bytes();
    return bytes;
}

} // namespace permafrost::model
