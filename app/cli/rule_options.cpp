// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rule_options.h"

#include "app/cli/option_checks.h"

#include <limits>

namespace permafrost::cli {

void RuleOptions::add_thresholds_to(CLI::App& command) {
    const auto from_zero = number_up_to(std::numeric_limits<double>::infinity());
    command.add_option("--var", thresholds.variance_threshold, "low variance is below this")
        ->check(from_zero)
        ->capture_default_str();
    command.add_option("--grad", thresholds.gradient_threshold, "zero gradient: |mean| is below this")
        ->check(from_zero)
        ->capture_default_str();
    command.add_option("--activation", thresholds.activation_threshold, "low activity: |h| is below this")
        ->check(from_zero)
        ->capture_default_str();
    command.add_option("--inactive", thresholds.inactive_share, "… on more than this share of the tokens")
        ->check(number_up_to(1))
        ->capture_default_str();
    command
        .add_option("--rule", rule,
                    "variance+gradient, all, any, variance, gradient, activity, quantile:Q, impact:Q, "
                    "variance_gradient:Q, or criteria joined by + (and) or | (or)")
        ->check(freeze_rule())
        ->capture_default_str();
    command
        .add_option("--guard-ratio", thresholds.guard_ratio,
                    "guard neurons whose largest output reaches this share of the layer's typical FFN output")
        ->check(from_zero)
        ->capture_default_str();
    command.add_flag("--no-guard", no_guard, "also freeze neurons whose rare spikes matter");
}

void RuleOptions::add_to(CLI::App& command) {
    add_thresholds_to(command);
    command.add_option("--layers", layers, "only these layers, as 24-31 or 7")->check(layer_range());
    command
        .add_option(
            "--layer-rule", layer_rules,
            "what some layers do differently, as 12-15:variance=0.02,gradient=0.001 or 3:off; the numbers "
            "are variance, gradient, activation, inactive, quantile and guard; may be given again")
        ->allow_extra_args(false);
}

Result<masks::FreezeRule> RuleOptions::read(std::uint32_t layer_count) const {
    PERMAFROST_TRY(auto result, masks::parse_rule(rule, thresholds));
    result.guard = !no_guard;
    if (!layers.empty()) {
        PERMAFROST_TRY(result.layers, masks::parse_layers(layers));
    }
    for (const auto& text : layer_rules) PERMAFROST_CHECK(masks::parse_layer_rule(text, result.layer_rules));
    PERMAFROST_CHECK(masks::validate(result, layer_count));
    return result;
}

nlohmann::ordered_json decision_json(const verdict::Decision& decision, const verdict::QualityGate& gate) {
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
    json["quality"] = verdict::word(gate.state);
    json["blocked"] = verdict::is_blocked(decision.verdict, gate);
    return json;
}

} // namespace permafrost::cli
