// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/masked_model.h"

namespace permafrost::quality {

Result<MaskedModel> masked_model(const std::string& name,
                                 const std::map<std::uint32_t, masks::Bitmask>& layers,
                                 const std::vector<std::uint32_t>& widths, const profile::Profile* means) {
    const auto refused = [&](const std::string& why) {
        return Error{name + ": " + why + "; the masks were made for another model"};
    };
    if (means && means->info.intermediate != widths)
        return Error{name + ": the profile of the means is of another model (" + means->info.model_name +
                     ")"};
    MaskedModel model{name, std::vector<FrozenLayer>(widths.size())};
    for (const auto& [layer, frozen] : layers) {
        if (layer >= widths.size())
            return refused("it has a mask for layer " + std::to_string(layer) + ", the model has " +
                           std::to_string(widths.size()) + " layers");
        if (frozen.size() != widths[layer])
            return refused("its mask of layer " + std::to_string(layer) + " is for " +
                           std::to_string(frozen.size()) + " neurons, the model has " +
                           std::to_string(widths[layer]));
        auto& target = model.layers[layer];
        for (std::size_t neuron = 0; neuron < frozen.size(); ++neuron)
            if (frozen.test(neuron)) target.neurons.push_back(static_cast<std::uint32_t>(neuron));
        if (!means || target.neurons.empty()) continue;
        if (!means->layers[layer] || means->layers[layer]->tokens() == 0)
            return Error{name + ": the profile of the means has no statistics of layer " +
                         std::to_string(layer)};
        for (const auto neuron : target.neurons)
            target.values.push_back(means->layers[layer]->mean()[neuron]);
    }
    return model;
}

} // namespace permafrost::quality
