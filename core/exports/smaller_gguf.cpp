// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/smaller_tensors.h"
#include "core/formats/gguf.h"
#include "core/masks/mask_blob.h"
#include "core/masks/saturation_maps.h"
#include "core/model/layer_plan.h"
#include "core/model/model_config.h"

#include <charconv>

namespace permafrost::exports {
namespace {

constexpr std::string_view removed_key = "permafrost.removed"; ///< mask blob, of the original's neurons
constexpr std::string_view removed_from_key = "permafrost.removed.from";       ///< the original's name
constexpr std::string_view removed_sha_key = "permafrost.removed.from_sha256"; ///< and its header_sha256

std::vector<std::uint8_t> removed_blob(const RemovalPlan& plan) {
    std::map<std::uint32_t, masks::Bitmask> layers;
    for (std::uint32_t layer = 0; layer < plan.layers.size(); ++layer) {
        const auto& removed = plan.removed.layers[layer].neurons;
        masks::Bitmask mask(plan.layers[layer].kept.size() + removed.size());
        for (const auto neuron : removed) mask.set(neuron, true);
        layers.emplace(layer, std::move(mask));
    }
    const auto blob = masks::make_mask_blob(layers);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(blob.data());
    return {bytes, bytes + blob.size()};
}

// The keys of the model under its new architecture; masks in it are of its old width and stay behind.
formats::Metadata smaller_metadata(const formats::ModelFile& model, const model::ModelConfig& config,
                                   const RemovalPlan& plan) {
    formats::Metadata metadata;
    const auto old_prefix = config.architecture + ".", prefix = plan.architecture + ".";
    for (const auto& [key, value] : model.metadata().entries()) {
        if (key.starts_with(masks::mask_blob_key) || key == masks::corpus_sketch_key) continue;
        const bool own = key.starts_with(old_prefix);
        metadata.set(own ? prefix + key.substr(old_prefix.size()) : key, value);
    }
    metadata.set("general.architecture", formats::make_value(plan.architecture));
    const auto widths = plan.widths();
    if (plan.architecture == "deci") {
        std::vector<std::uint32_t> heads, kv_heads;
        for (const auto& layer : config.attention) {
            heads.push_back(layer.heads);
            kv_heads.push_back(layer.kv_heads);
        }
        metadata.set(prefix + "feed_forward_length", formats::make_value(widths));
        metadata.set(prefix + "attention.head_count", formats::make_value(heads));
        metadata.set(prefix + "attention.head_count_kv", formats::make_value(kv_heads));
    } else {
        metadata.set(prefix + "feed_forward_length", formats::make_value(widths.front()));
    }
    metadata.set(std::string(removed_key), formats::make_value(removed_blob(plan)));
    metadata.set(std::string(removed_from_key), formats::make_value(config.name));
    metadata.set(std::string(removed_sha_key), formats::make_value(model.header_sha256()));
    return metadata;
}

/// "blk.<layer>.<name>"
struct LayerTensor {
    std::uint32_t layer = 0;
    std::string_view name;
};

std::optional<LayerTensor> layer_tensor(std::string_view name) {
    constexpr std::string_view prefix = "blk.";
    if (!name.starts_with(prefix)) return std::nullopt;
    LayerTensor found;
    const auto [end, wrong] =
        std::from_chars(name.data() + prefix.size(), name.data() + name.size(), found.layer);
    if (wrong != std::errc{} || end == name.data() + name.size() || *end != '.') return std::nullopt;
    found.name = name.substr(static_cast<std::size_t>(end - name.data()) + 1);
    return found;
}

// Value 2i of a head, where rotary pairs are neighbours, is value i where they are half a head apart.
std::vector<float> with_neighbouring_pairs(const std::vector<float>& values, std::size_t head) {
    auto reordered = values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto place = i % head;
        reordered[i] = values[i - place + place % 2 * (head / 2) + place / 2];
    }
    return reordered;
}

class TensorList {
  public:
    TensorList(const formats::ModelFile& model, const model::ModelConfig& config, const RemovalPlan& plan)
        : model_(model), config_(config), plan_(plan),
          pairs_change_(plan.architecture == "deci" &&
                        config.family->rotary_pairs == model::RotaryPairs::Halves) {}

    std::vector<formats::OutgoingTensor> make() const {
        std::vector<formats::OutgoingTensor> tensors;
        for (const auto& view : model_.tensors()) add(view, tensors);
        return tensors;
    }

  private:
    void add(const tensor::TensorView& view, std::vector<formats::OutgoingTensor>& tensors) const {
        const auto place = layer_tensor(view.name);
        if (!place || place->layer >= plan_.layers.size()) {
            tensors.push_back({view});
            return;
        }
        const auto& layer = plan_.layers[place->layer];
        const auto name = place->name;
        const auto bias_name = model::layer_tensor_name(place->layer, "ffn_down.bias");
        if (name.starts_with("ffn_gate.") || name.starts_with("ffn_up.")) {
            const auto kind = config_.family->fused_gate_up ? NeuronTensor::FusedRows : NeuronTensor::Rows;
            tensors.push_back(without_neurons(view, kind, layer, {}));
        } else if (name == "ffn_down.weight") {
            tensors.push_back(without_neurons(view, NeuronTensor::Columns, layer, plan_.down_type));
            if (!layer.bias.empty() && !model_.find(bias_name))
                tensors.push_back(vector_tensor(bias_name, layer.bias, tensor::ElementType::F32));
        } else if (name == "ffn_down.bias" && !layer.bias.empty()) {
            auto sum = values_of(view);
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += layer.bias[i];
            tensors.push_back(vector_tensor(bias_name, std::move(sum), tensor::ElementType::F32));
        } else if (pairs_change_ && (name == "attn_q.weight" || name == "attn_k.weight")) {
            auto turned = view;
            turned.interleaves_heads_of = config_.head_size;
            tensors.push_back({turned});
        } else if (pairs_change_ && (name == "attn_q.bias" || name == "attn_k.bias")) {
            tensors.push_back(vector_tensor(view.name,
                                            with_neighbouring_pairs(values_of(view), config_.head_size),
                                            tensor::ElementType::F32));
        } else {
            tensors.push_back({view});
        }
    }

    const formats::ModelFile& model_;
    const model::ModelConfig& config_;
    const RemovalPlan& plan_;
    bool pairs_change_;
};

} // namespace

Result<void> write_smaller_gguf(const formats::ModelFile& model, const RemovalPlan& plan,
                                const std::filesystem::path& target, const formats::WriteControl& control) {
    PERMAFROST_TRY(const auto config, model::read_model_config(model));
    const auto tensors = TensorList(model, config, plan).make();
    return formats::write_gguf(target, smaller_metadata(model, config, plan), tensors, control);
}

} // namespace permafrost::exports
