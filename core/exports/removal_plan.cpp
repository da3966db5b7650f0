// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/removal.h"
#include "core/model/layer_plan.h"
#include "core/model/model_config.h"
#include "core/tensor/decode.h"
#include "core/tensor/encode.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace permafrost::exports {
namespace {

using tensor::ElementType;

// Why llama.cpp's graph of "deci" cannot run the model, or nothing.
std::string why_not_deci(const formats::ModelFile& file, const model::ModelConfig& config) {
    const auto& family = *config.family;
    if (family.fused_gate_up || file.find(model::layer_tensor_name(0, "attn_qkv.weight")))
        return "its gate and up or Q, K and V matrices are stored as one";
    if (family.query_key_norms) return "it normalises queries and keys";
    if (family.post_norms) return "it has norms after attention and feed-forward";
    if (family.scaled_embedding || family.activation != model::GateActivation::Silu)
        return "its activation is not SiLU or its embeddings are scaled";
    if (config.attention_softcap != 0 || config.final_softcap != 0) return "it caps its scores";
    if (file.metadata().find(config.architecture + ".attention.scale")) return "it has a scale of its own";
    if (config.rotary.size != config.head_size || !config.rotary.long_factors.empty())
        return "its rotary embedding is of another kind";
    for (const auto& layer : config.attention)
        if (layer.window != 0) return "its attention has sliding windows";
    return {};
}

const tensor::TensorView& down_of(const formats::ModelFile& file, std::size_t layer) {
    return *file.find(model::layer_tensor_name(static_cast<std::uint32_t>(layer), "ffn_down.weight"));
}

bool is_plain(ElementType type) {
    return type == ElementType::F32 || type == ElementType::F16 || type == ElementType::BF16;
}

// How much it matters that a neuron stays.
std::vector<double> scores_of(const formats::ModelFile& file, std::size_t layer,
                              const profile::Profile* profile) {
    if (profile && profile->layers[layer]) {
        const auto impact = profile->layers[layer]->impact();
        return {impact.begin(), impact.end()};
    }
    const auto& down = down_of(file, layer);
    std::vector<double> squares(down.columns());
    std::vector<float> row(down.columns());
    for (std::uint64_t r = 0; r < down.rows(); ++r) {
        tensor::decode_rows(down, r, 1, row.data());
        for (std::size_t neuron = 0; neuron < row.size(); ++neuron)
            squares[neuron] += double{row[neuron]} * row[neuron];
    }
    return squares;
}

std::vector<float> bias_of(const tensor::TensorView& down, const quality::FrozenLayer& removed) {
    if (removed.values.empty() || removed.neurons.empty()) return {};
    std::vector<float> row(down.columns()), bias(down.rows());
    for (std::uint64_t r = 0; r < down.rows(); ++r) {
        tensor::decode_rows(down, r, 1, row.data());
        double sum = 0;
        for (std::size_t i = 0; i < removed.neurons.size(); ++i)
            sum += double{row[removed.neurons[i]]} * removed.values[i];
        bias[r] = static_cast<float>(sum);
    }
    return bias;
}

// Widths with whole blocks, at least one, never wider than the layer was.
std::vector<std::uint32_t> rounded_widths(const model::ModelConfig& config,
                                          const quality::MaskedModel& frozen, std::uint32_t multiple) {
    std::vector<std::uint32_t> widths;
    for (std::size_t layer = 0; layer < config.intermediate.size(); ++layer) {
        const std::uint64_t kept = config.intermediate[layer] - frozen.layers[layer].neurons.size();
        const auto blocks = std::max<std::uint64_t>(1, (kept + multiple - 1) / multiple);
        widths.push_back(static_cast<std::uint32_t>(
            std::min<std::uint64_t>(config.intermediate[layer], blocks * multiple)));
    }
    return widths;
}

// Removes the layer's frozen neurons but for the `stay` of them that matter most.
quality::FrozenLayer removed_of(const quality::FrozenLayer& frozen, std::size_t stay,
                                const std::vector<double>& scores) {
    if (stay == 0) return frozen;
    std::vector<std::size_t> order(frozen.neurons.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return scores[frozen.neurons[a]] > scores[frozen.neurons[b]]; });
    order.erase(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(stay));
    std::sort(order.begin(), order.end());
    quality::FrozenLayer removed;
    for (const auto i : order) {
        removed.neurons.push_back(frozen.neurons[i]);
        if (!frozen.values.empty()) removed.values.push_back(frozen.values[i]);
    }
    return removed;
}

std::vector<std::uint32_t> kept_of(std::uint32_t neurons, const std::vector<std::uint32_t>& removed) {
    std::vector<std::uint32_t> all(neurons), kept;
    std::iota(all.begin(), all.end(), 0u);
    std::set_difference(all.begin(), all.end(), removed.begin(), removed.end(), std::back_inserter(kept));
    return kept;
}

Result<void> check_settings(const formats::ModelFile& model, const RemovalSettings& settings) {
    if (settings.multiple == 0) return Error{"widths cannot be a multiple of 0"};
    const bool plain = is_plain(down_of(model, 0).type);
    const auto type = settings.down_type.value_or(plain ? down_of(model, 0).type : ElementType::Q8_0);
    if (!tensor::can_encode(type))
        return Error{"down matrices are not written as " + std::string(tensor::info(type).name) +
                     "; choose " + tensor::encodable_types()};
    const auto block = tensor::info(type).block_elements;
    if (settings.multiple % block != 0)
        return Error{"widths must be a multiple of " + std::to_string(block) + ", the block of " +
                     std::string(tensor::info(type).name) + ", not of " + std::to_string(settings.multiple)};
    if (model.format() == formats::FileFormat::Safetensors && !is_plain(type))
        return Error{"safetensors has no " + std::string(tensor::info(type).name) +
                     "; choose F32, F16 or BF16, or convert the model to GGUF first"};
    return {};
}

bool all_equal(const std::vector<std::uint32_t>& widths) {
    return std::adjacent_find(widths.begin(), widths.end(), std::not_equal_to<>()) == widths.end();
}

// Sets the architecture, and makes the widths equal where they have to be.
Result<void> choose_form(const formats::ModelFile& file, const model::ModelConfig& config, bool folded,
                         Widths wish, RemovalOutline& outline) {
    auto& widths = outline.widths;
    const bool folder = file.format() == formats::FileFormat::Safetensors;
    const auto obstacle =
        folder ? "in safetensors config.json has one width for all layers" : why_not_deci(file, config);
    if (wish == Widths::PerLayer && !obstacle.empty())
        return Error{file.location() + ": its layers cannot get widths of their own, since " + obstacle +
                     "; choose equal widths"};
    if (wish == Widths::Equal || !obstacle.empty())
        std::fill(widths.begin(), widths.end(), *std::max_element(widths.begin(), widths.end()));
    const bool has_bias = config.family->ffn_bias != model::Presence::Never;
    outline.architecture = wish == Widths::PerLayer ? "deci" : config.architecture;
    if (wish == Widths::PerLayer) return {};
    if (all_equal(widths) && (has_bias || !folded)) return {};
    if (obstacle.empty()) {
        outline.architecture = "deci";
        return {};
    }
    return Error{
        file.location() + ": means cannot be kept, since a model of architecture " + config.architecture +
        " has no bias after its down matrix that other programs would read; set the frozen neurons to "
        "zero"};
}

// By which a layer's matrices shrink; what they grow by, as a number that wraps around.
std::uint64_t saved_bytes(const formats::ModelFile& file, std::uint32_t layer, std::uint64_t width,
                          const RemovalSettings& settings) {
    std::uint64_t saved = 0;
    const auto& down = down_of(file, layer);
    for (const char* name : {"ffn_gate.weight", "ffn_up.weight"})
        if (const auto* view = file.find(model::layer_tensor_name(layer, name)))
            saved += view->bytes.size() - view->bytes.size() / down.columns() * width;
    if (!settings.down_type && width == down.columns()) return saved;
    const auto type =
        tensor::info(settings.down_type.value_or(is_plain(down.type) ? down.type : ElementType::Q8_0));
    return saved + down.bytes.size() - down.rows() * (width / type.block_elements) * type.block_bytes;
}

} // namespace

std::uint64_t RemovalPlan::removed_neurons() const {
    std::uint64_t count = 0;
    for (const auto& layer : removed.layers) count += layer.neurons.size();
    return count;
}

std::vector<std::uint32_t> RemovalPlan::widths() const {
    std::vector<std::uint32_t> widths;
    for (const auto& layer : layers) widths.push_back(static_cast<std::uint32_t>(layer.kept.size()));
    return widths;
}

Result<RemovalOutline> outline_removal(const formats::ModelFile& model, const quality::MaskedModel& frozen,
                                       const RemovalSettings& settings) {
    PERMAFROST_TRY(const auto config, model::read_model_config(model));
    if (frozen.layers.size() != config.layers)
        return Error{frozen.name + ": the masks were made for another model"};
    PERMAFROST_CHECK(check_settings(model, settings));
    const bool folded = std::any_of(frozen.layers.begin(), frozen.layers.end(),
                                    [](const auto& layer) { return !layer.values.empty(); });
    RemovalOutline outline;
    outline.widths = rounded_widths(config, frozen, settings.multiple);
    PERMAFROST_CHECK(choose_form(model, config, folded, settings.widths, outline));
    for (const auto& view : model.tensors()) outline.weight_bytes += view.bytes.size();
    for (std::uint32_t layer = 0; layer < config.layers; ++layer)
        outline.weight_bytes -= saved_bytes(model, layer, outline.widths[layer], settings);
    return outline;
}

Result<RemovalPlan> plan_removal(const formats::ModelFile& model, const quality::MaskedModel& frozen,
                                 const RemovalSettings& settings, const profile::Profile* profile) {
    PERMAFROST_TRY(const auto outline, outline_removal(model, frozen, settings));
    RemovalPlan plan;
    plan.architecture = outline.architecture;
    plan.down_type = settings.down_type;
    plan.removed.name = frozen.name;
    for (std::uint32_t layer = 0; layer < frozen.layers.size(); ++layer) {
        const auto neurons = static_cast<std::uint32_t>(down_of(model, layer).columns());
        if (profile && (profile->layers.size() != frozen.layers.size() ||
                        (profile->layers[layer] && profile->layers[layer]->neurons() != neurons)))
            return Error{"the profile is of another model (" + profile->info.model_name + ")"};
        const auto& own = frozen.layers[layer];
        const auto stay =
            own.neurons.size() - std::min<std::size_t>(own.neurons.size(), neurons - outline.widths[layer]);
        const auto scores = stay == 0 || stay == own.neurons.size() ? std::vector<double>(neurons)
                                                                    : scores_of(model, layer, profile);
        plan.removed.layers.push_back(removed_of(own, stay, scores));
        const auto& removed = plan.removed.layers.back();
        plan.layers.push_back({kept_of(neurons, removed.neurons), bias_of(down_of(model, layer), removed)});
        plan.neurons += neurons;
        plan.frozen += own.neurons.size();
    }
    return plan;
}

} // namespace permafrost::exports
