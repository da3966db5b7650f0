// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_weights.h"

#include "core/tensor/decode.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>

namespace permafrost::model {
namespace {

struct DecodeTask {
    const tensor::TensorView* source;
    std::uint64_t first_row;
    std::uint64_t rows;
    float* target;
};

// Rows a task: enough to be worth a thread's turn, few enough to share a layer evenly.
void add_tasks(std::vector<DecodeTask>& tasks, const tensor::TensorView* source, float* target) {
    const auto rows = source->rows();
    const auto columns = source->columns();
    const auto step =
        std::max<std::uint64_t>(1, (std::uint64_t{1} << 17) / std::max<std::uint64_t>(1, columns));
    for (std::uint64_t first = 0; first < rows; first += step)
        tasks.push_back({source, first, std::min(step, rows - first), target + first * columns});
}

bool all_finite(const float* values, std::size_t count) {
    // x - x is 0 for finite x and NaN otherwise; the loop vectorises.
    int broken = 0;
    for (std::size_t i = 0; i < count; ++i) broken |= !(values[i] - values[i] == 0.0f);
    return broken == 0;
}

} // namespace

bool LayerWeights::load(const formats::ModelFile& file, const ModelConfig& config, std::uint32_t layer,
                        ThreadPool& pool, const std::stop_token& stop) {
    const std::size_t query_size = std::size_t{config.heads} * config.head_size;
    const std::size_t kv_size = std::size_t{config.kv_heads} * config.head_size;
    hidden_ = config.hidden;
    neurons_ = config.intermediate[layer];
    query_size_ = query_size;
    qkv_rows_ = query_size + 2 * kv_size;
    attention_norm_.ensure(hidden_);
    ffn_norm_.ensure(hidden_);
    qkv_.ensure(qkv_rows_ * hidden_);
    attention_output_.ensure(hidden_ * query_size);
    gate_up_.ensure(2 * neurons_ * hidden_);
    down_.ensure(hidden_ * neurons_);

    const auto prefix = "blk." + std::to_string(layer) + ".";
    std::vector<DecodeTask> tasks;
    std::vector<const tensor::TensorView*> sources;
    const auto add = [&](const char* name, float* target) {
        sources.push_back(file.find(prefix + name + ".weight"));
        add_tasks(tasks, sources.back(), target);
    };
    add("attn_norm", attention_norm_.data());
    add("ffn_norm", ffn_norm_.data());
    add("attn_q", qkv_.data());
    add("attn_k", qkv_.data() + query_size * hidden_);
    add("attn_v", qkv_.data() + (query_size + kv_size) * hidden_);
    add("attn_output", attention_output_.data());
    add("ffn_gate", gate_up_.data());
    add("ffn_up", gate_up_.data() + neurons_ * hidden_);
    add("ffn_down", down_.data());

    const bool done = pool.parallel_for(
        tasks.size(),
        [&](std::size_t index, std::size_t) {
            const auto& task = tasks[index];
            tensor::decode_rows(*task.source, task.first_row, task.rows, task.target);
        },
        stop);
    // The pages stay in the system's file cache, so the next wave reads them from memory.
    for (const auto* source : sources) MappedFile::drop_from_memory(source->bytes);
    if (done) find_broken_weights(pool);
    return done;
}

void LayerWeights::find_broken_weights(ThreadPool& pool) {
    broken_.clear();
    std::mutex mutex;
    const auto report = [&](std::size_t neuron, const char* tensor) {
        const std::scoped_lock lock(mutex);
        broken_.push_back({static_cast<std::uint32_t>(neuron), tensor});
    };
    pool.parallel_for(2 * neurons_, [&](std::size_t row, std::size_t) {
        if (!all_finite(gate_up_.data() + row * hidden_, hidden_))
            report(row % neurons_, row < neurons_ ? "ffn_gate" : "ffn_up");
    });
    pool.parallel_for(hidden_, [&](std::size_t row, std::size_t) {
        float* values = down_.data() + row * neurons_;
        if (all_finite(values, neurons_)) return;
        for (std::size_t neuron = 0; neuron < neurons_; ++neuron)
            if (!std::isfinite(values[neuron])) {
                values[neuron] = 0;
                report(neuron, "ffn_down");
            }
    });
    // Whichever of its weights is broken, the neuron's activations shall be too.
    for (const auto& weight : broken_)
        gate_up_[weight.neuron * hidden_] = std::numeric_limits<float>::quiet_NaN();
    std::sort(broken_.begin(), broken_.end(), [](const BrokenWeight& a, const BrokenWeight& b) {
        return std::pair(a.neuron, std::string_view(a.tensor)) <
               std::pair(b.neuron, std::string_view(b.tensor));
    });
    broken_.erase(std::unique(broken_.begin(), broken_.end()), broken_.end());
}

std::vector<float> LayerWeights::down_norms(ThreadPool& pool) const {
    constexpr std::size_t block = 256;
    std::vector<float> norms(neurons_);
    pool.parallel_for((neurons_ + block - 1) / block, [&](std::size_t index, std::size_t) {
        const auto first = index * block;
        const auto count = std::min(block, neurons_ - first);
        double sums[block] = {};
        for (std::size_t row = 0; row < hidden_; ++row) {
            const float* values = down_.data() + row * neurons_ + first;
            for (std::size_t i = 0; i < count; ++i)
                sums[i] += static_cast<double>(values[i]) * static_cast<double>(values[i]);
        }
        for (std::size_t i = 0; i < count; ++i) norms[first + i] = static_cast<float>(std::sqrt(sums[i]));
    });
    return norms;
}

std::uint64_t LayerWeights::bytes() const {
    return attention_norm_.bytes() + ffn_norm_.bytes() + qkv_.bytes() + attention_output_.bytes() +
           gate_up_.bytes() + down_.bytes();
}

} // namespace permafrost::model
