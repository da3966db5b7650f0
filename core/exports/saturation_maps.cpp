// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/saturation_maps.h"

#include "core/exports/exports.h"
#include "core/profile/cliff_score.h"

namespace permafrost::exports {

std::map<std::uint32_t, double> cliff_scores(const profile::Profile& profile,
                                             const verdict::Decision& decision) {
    std::map<std::uint32_t, double> scores;
    for (const auto& layer : decision.layers)
        if (layer.profiled)
            if (const auto score = profile::cliff_score(profile.layers[layer.layer]->statistics(),
                                                        decision.rule.for_layer(layer.layer).inactive_share))
                scores[layer.layer] = *score;
    return scores;
}

masks::SaturationMaps saturation_maps(const profile::Profile& profile, const verdict::Decision& decision,
                                      const ExportContext& context) {
    masks::SaturationMaps maps;
    for (const auto& layer : decision.layers)
        if (layer.profiled) maps.layers.emplace(layer.layer, decision.masks[layer.layer].frozen);
    maps.date = context.profiling_date;
    maps.method = masks::method_identifier(decision.rule);
    maps.model_name = profile.info.model_name;
    maps.cliff_scores = cliff_scores(profile, decision);
    if (!profile.info.corpus_sketch.smallest.empty()) maps.corpus_sketch = profile.info.corpus_sketch;
    return maps;
}

std::string saturation_maps_json(const profile::Profile& profile, const verdict::Decision& decision,
                                 const ExportContext& context) {
    return masks::saturation_maps_text(saturation_maps(profile, decision, context));
}

} // namespace permafrost::exports
