// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/exports.h"

#include <nlohmann/json.hpp>

namespace permafrost::exports {

// `stats` stays empty: the seeds name its element type but not its fields, and a reader in Rust would refuse
// a guess.
std::string saturation_maps_json(const profile::Profile& profile, const verdict::Decision& decision,
                                 const ExportContext& context) {
    using nlohmann::ordered_json;
    ordered_json layers = ordered_json::object();
    for (const auto& layer : decision.layers) {
        if (!layer.profiled) continue;
        const auto bytes = decision.masks[layer.layer].frozen.bytes();
        layers[std::to_string(layer.layer)] = {
            {"layer_id", layer.layer},
            {"frozen_mask", std::vector<std::uint8_t>(bytes.begin(), bytes.end())},
            {"num_neurons", layer.neurons}};
    }
    const ordered_json maps{{"ffn_frozen_per_layer", std::move(layers)},
                            {"stats", ordered_json::array()},
                            {"profile_date", context.profiling_date},
                            {"profile_method", masks::method_identifier(decision.rule)},
                            {"model_name", profile.info.model_name}};
    return maps.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace permafrost::exports
