// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/speed/ffn_layers.h"

#include "core/model/layer_plan.h"
#include "core/model/model_config.h"
#include "core/tensor/encode.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace permafrost::speed {
namespace {

model::FfnMatrices matrices_of(const formats::ModelFile& file, const model::ModelConfig& config,
                               std::uint32_t layer) {
    const auto matrix = [&](const char* name) { return *file.find(model::layer_tensor_name(layer, name)); };
    model::FfnMatrices result;
    result.activation = config.family->activation;
    result.down = matrix("ffn_down.weight");
    result.up = matrix("ffn_up.weight");
    if (!config.family->fused_gate_up) {
        result.gate = matrix("ffn_gate.weight");
        return result;
    }
    result.gate = result.up;
    const auto half = result.up.bytes.size() / 2;
    result.gate.bytes = result.up.bytes.first(half);
    result.up.bytes = result.up.bytes.subspan(half);
    result.gate.shape.front() = result.up.shape.front() = result.up.shape.front() / 2;
    return result;
}

} // namespace

std::uint64_t FfnLayers::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& layer : layers) sum += layer.bytes();
    return sum;
}

double FfnLayers::ffn_share() const {
    if (other_weight_bytes == 0) return 1;
    const auto ffn = static_cast<double>(bytes());
    return ffn / (ffn + static_cast<double>(other_weight_bytes));
}

Result<FfnLayers> layers_of(const formats::ModelFilePtr& file) {
    PERMAFROST_TRY(const auto config, model::read_model_config(*file));
    FfnLayers result;
    result.of_model = config.layers;
    result.storage = file;
    for (std::uint32_t layer = 0; layer < config.layers; ++layer) {
        if (config.intermediate[layer] == 0)
            return Error{file->location() + ": layer " + std::to_string(layer) +
                         " has no neurons, so its time cannot be measured"};
        result.layers.push_back(matrices_of(*file, config, layer));
    }
    result.other_weight_bytes = config.weight_bytes - config.ffn_weight_bytes;
    return result;
}

// Random values as one matrix, whose bytes are copied for each layer: what they are changes nothing about the time.
FfnLayers random_layers(const ModelShape& shape, tensor::ElementType type, std::uint64_t at_least_bytes) {
    const std::size_t hidden = shape.hidden, neurons = shape.neurons;
    const auto& layout = tensor::info(type);
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(hidden)));
    std::vector<float> some(std::size_t{1} << 16);
    for (auto& value : some) value = normal(random);
    std::vector<std::byte> some_bytes(some.size() / layout.block_elements * layout.block_bytes);
    tensor::encode(type, some.data(), some_bytes.data(), some.size());
    const auto matrix_bytes = hidden * neurons / layout.block_elements * layout.block_bytes;
    const auto count = std::max<std::size_t>(1, (at_least_bytes + 3 * matrix_bytes - 1) / (3 * matrix_bytes));
    auto memory = std::make_shared<std::vector<std::vector<std::byte>>>();
    FfnLayers result;
    result.of_model = shape.layers;
    for (std::size_t i = 0; i < count; ++i) {
        model::FfnMatrices layer;
        for (auto* view : {&layer.gate, &layer.up, &layer.down}) {
            auto& bytes = memory->emplace_back(matrix_bytes);
            for (std::size_t at = 0; at < bytes.size(); at += some_bytes.size())
                std::copy_n(some_bytes.begin(), std::min(some_bytes.size(), bytes.size() - at),
                            bytes.begin() + static_cast<std::ptrdiff_t>(at));
            *view = {"", type, {neurons, hidden}, bytes, false};
        }
        layer.down.shape = {hidden, neurons};
        result.layers.push_back(layer);
    }
    result.storage = memory;
    // As if the rest were of the same type, and in proportion when not all layers are here.
    const auto of_model = static_cast<double>(shape.other_weights) /
                          static_cast<double>(layout.block_elements) *
                          static_cast<double>(layout.block_bytes);
    result.other_weight_bytes =
        static_cast<std::uint64_t>(of_model * static_cast<double>(count) / static_cast<double>(shape.layers));
    return result;
}

} // namespace permafrost::speed
