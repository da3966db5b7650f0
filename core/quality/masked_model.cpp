// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/masked_model.h"

#include "core/base/hash.h"

namespace permafrost::quality {
namespace {

Result<void> check_mask(std::uint32_t layer, const masks::Bitmask& frozen,
                        const std::vector<std::uint32_t>& widths, const std::string& name) {
    const auto refused = [&](const std::string& why) {
        return Error{name + ": " + why + "; the masks were made for another model"};
    };
    if (layer >= widths.size())
        return refused("it has a mask for layer " + std::to_string(layer) + ", the model has " +
                       std::to_string(widths.size()) + " layers");
    if (frozen.size() != widths[layer])
        return refused("its mask of layer " + std::to_string(layer) + " is for " +
                       std::to_string(frozen.size()) + " neurons, the model has " +
                       std::to_string(widths[layer]));
    return {};
}

float kept_value(const profile::LayerProfile& layer, std::uint32_t neuron, Handling handling) {
    const float mean = layer.mean()[neuron];
    if (handling == Handling::Mean) return mean;
    return mean_is_better(mean, layer.variance()[neuron], static_cast<double>(layer.count(neuron))) ? mean
                                                                                                    : 0.0f;
}

} // namespace

std::map<std::uint32_t, masks::Bitmask> masks_of(const verdict::Decision& decision) {
    std::map<std::uint32_t, masks::Bitmask> layers;
    for (std::size_t layer = 0; layer < decision.masks.size(); ++layer)
        if (decision.masks[layer].frozen.size() != 0)
            layers[static_cast<std::uint32_t>(layer)] = decision.masks[layer].frozen;
    return layers;
}

Result<MaskedModel> masked_model(const std::string& name,
                                 const std::map<std::uint32_t, masks::Bitmask>& layers,
                                 const std::vector<std::uint32_t>& widths, const FrozenHandling& handling,
                                 const profile::Profile* means) {
    if (handling.needs_means() && !means)
        return Error{name + ": keeping means needs the profile that has them"};
    if (handling.needs_means() && means->info.intermediate != widths)
        return Error{name + ": the profile of the means is of another model (" + means->info.model_name +
                     ")"};
    for (const auto& own : handling.layers)
        if (own.first >= widths.size())
            return Error{name + ": the handling names layer " + std::to_string(own.first) +
                         ", the model has " + std::to_string(widths.size()) + " layers"};
    MaskedModel model{name, std::vector<FrozenLayer>(widths.size())};
    for (const auto& [layer, frozen] : layers) {
        PERMAFROST_CHECK(check_mask(layer, frozen, widths, name));
        auto& target = model.layers[layer];
        for (std::size_t neuron = 0; neuron < frozen.size(); ++neuron)
            if (frozen.test(neuron)) target.neurons.push_back(static_cast<std::uint32_t>(neuron));
        if (handling.of(layer) == Handling::Zero || target.neurons.empty()) continue;
        if (!means->layers[layer] || means->layers[layer]->tokens() == 0)
            return Error{name + ": the profile of the means has no statistics of layer " +
                         std::to_string(layer)};
        for (const auto neuron : target.neurons)
            target.values.push_back(kept_value(*means->layers[layer], neuron, handling.of(layer)));
    }
    return model;
}

Result<MaskedModel> without_neuron(std::uint32_t layer, std::uint32_t neuron,
                                   const std::vector<std::uint32_t>& widths) {
    const auto name = "layer " + std::to_string(layer) + ", neuron " + std::to_string(neuron);
    if (layer >= widths.size())
        return Error{name + ": the model has " + std::to_string(widths.size()) + " layers, counted from 0"};
    if (neuron >= widths[layer])
        return Error{name + ": the layer has " + std::to_string(widths[layer]) + " neurons, counted from 0"};
    MaskedModel model{name, std::vector<FrozenLayer>(widths.size())};
    model.layers[layer].neurons.push_back(neuron);
    return model;
}

std::string variant_identity(const MaskedModel& variant) {
    Sha256 hash;
    for (std::uint32_t layer = 0; layer < variant.layers.size(); ++layer) {
        const auto& [neurons, values] = variant.layers[layer];
        if (neurons.empty()) continue;
        const std::uint64_t head[] = {layer, neurons.size()};
        hash.add(bytes_of(std::span<const std::uint64_t>(head)));
        hash.add(bytes_of(std::span<const std::uint32_t>(neurons)));
        const std::vector<float> zeros(values.empty() ? neurons.size() : 0, 0.0f);
        hash.add(bytes_of(std::span<const float>(values.empty() ? zeros : values)));
    }
    return hash.finish();
}

} // namespace permafrost::quality
