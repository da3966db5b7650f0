// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rule_options.h"

namespace permafrost::cli {

void RuleOptions::add_thresholds_to(CLI::App& command) {
    command.add_option("--var", thresholds.variance_threshold, "low variance is below this")
        ->capture_default_str();
    command.add_option("--grad", thresholds.gradient_threshold, "zero gradient: |mean| is below this")
        ->capture_default_str();
    command.add_option("--activation", thresholds.activation_threshold, "low activity: |h| is below this")
        ->capture_default_str();
    command.add_option("--inactive", thresholds.inactive_share, "… on more than this share of the tokens")
        ->capture_default_str();
    command
        .add_option("--rule", rule,
                    "variance+gradient, all, any, variance, gradient, activity, quantile:Q, impact:Q, or "
                    "criteria joined "
                    "by + (and) or | (or)")
        ->capture_default_str();
    command
        .add_option("--guard-ratio", thresholds.guard_ratio,
                    "guard neurons whose largest output reaches this share of the layer's typical FFN output")
        ->capture_default_str();
    command.add_flag("--no-guard", no_guard, "also freeze neurons whose rare spikes matter");
}

void RuleOptions::add_to(CLI::App& command) {
    add_thresholds_to(command);
    command.add_option("--layers", layers, "only these layers, as 24-31 or 7");
}

Result<masks::FreezeRule> RuleOptions::read(std::uint32_t layer_count) const {
    PERMAFROST_TRY(auto result, masks::parse_rule(rule, thresholds));
    result.guard = !no_guard;
    if (!layers.empty()) {
        PERMAFROST_TRY(result.layers, masks::parse_layers(layers));
    }
    PERMAFROST_CHECK(masks::validate(result, layer_count));
    return result;
}

nlohmann::ordered_json decision_json(const verdict::Decision& decision) {
    nlohmann::ordered_json json;
    json["rule"] = masks::rule_name(decision.rule);
    json["layers"] = nlohmann::ordered_json::array();
    for (const auto& layer : decision.layers)
        json["layers"].push_back({{"layer", layer.layer},
                                  {"neurons", layer.neurons},
                                  {"frozen", layer.frozen},
                                  {"saturated", layer.saturated},
                                  {"guarded", layer.guarded},
                                  {"speedup", layer.speedup}});
    json["avg_speedup"] = decision.average_speedup;
    json["ffn_speedup"] = decision.ffn_speedup;
    json["model_speedup"] = decision.model_speedup;
    json["frozen_share"] = decision.frozen_share;
    json["verdict"] = verdict::word(decision.verdict);
    json["trend"] = verdict::identifier(decision.trend);
    json["provisional"] = decision.provisional;
    json["quality"] = "not measured";
    return json;
}

} // namespace permafrost::cli
