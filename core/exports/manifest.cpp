// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/exports/export_text.h"
#include "core/exports/exports.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace permafrost::exports {
namespace {

using nlohmann::ordered_json;

ordered_json layer_entries(const profile::Profile& profile, const verdict::Decision& decision) {
    const auto scores = cliff_scores(profile, decision);
    ordered_json list = ordered_json::array();
    for (const auto& layer : decision.layers) {
        if (!layer.profiled) continue;
        list.push_back({{"layer_id", layer.layer},
                        {"pct_frozen_ffn", percent_text(layer.frozen_share)},
                        {"estimated_speedup", speedup_text(layer.speedup)},
                        {"avg_variance_ffn", fixed_text(layer.average_variance, 6)},
                        {"saturated_pct", percent_text(layer.saturated_share)},
                        {"neurons", layer.neurons},
                        {"frozen", layer.frozen},
                        {"saturated", layer.saturated},
                        {"guarded", layer.guarded}});
        if (const auto score = scores.find(layer.layer); score != scores.end())
            list.back()["cliff_score"] = score->second;
    }
    return list;
}

/// A model of one or two layers has bands without a layer: they have no key.
ordered_json trend_entry(const verdict::Decision& decision) {
    ordered_json trend;
    const std::array<std::string, 3> names{"early", "mid", "late"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto& band = decision.bands[i];
        if (band.empty) continue;
        trend[names[i] + "_layers_" + std::to_string(band.first) + "_" + std::to_string(band.last) + "_pct"] =
            percent_text(band.frozen_share);
    }
    trend["trend"] = verdict::identifier(decision.trend);
    return trend;
}

std::uint64_t first_layer_bytes(const verdict::Decision& decision) {
    const auto first = std::find_if(decision.layers.begin(), decision.layers.end(),
                                    [](const verdict::LayerMetrics& layer) { return layer.profiled; });
    return first == decision.layers.end() ? 0 : (first->neurons + 7) / 8 + 4;
}

ordered_json summary_entry(const verdict::Decision& decision) {
    return {{"total_estimated_speedup", speedup_text(decision.average_speedup)},
            {"total_bitmask_bytes", decision.mask_bytes},
            {"bytes_per_layer", std::to_string(first_layer_bytes(decision))},
            {"recommendation", verdict::recommendation(decision.verdict)},
            {"next_step", verdict::next_step(decision.verdict)}};
}

ordered_json rule_entry(const masks::FreezeRule& rule, std::uint64_t guarded) {
    ordered_json entry{{"name", masks::rule_name(rule)}, {"inactive_share", rule.inactive_share}};
    if (rule.layers) entry["layers"] = {rule.layers->first, rule.layers->second};
    for (const auto& [layer, own] : rule.layer_rules)
        if (!own.follows_the_rule()) entry["layer_rules"].push_back(masks::layer_rule_text(layer, own));
    entry["guard"] = {{"on", rule.guard}, {"ratio", rule.guard_ratio}, {"guarded", guarded}};
    return entry;
}

std::uint64_t non_finite_values(const profile::Profile& profile) {
    return std::accumulate(profile.layers.begin(), profile.layers.end(), std::uint64_t{0},
                           [](std::uint64_t total, const profile::LayerProfilePtr& layer) {
                               return total + (layer ? layer->non_finite() : 0);
                           });
}

ordered_json gate_entry(const verdict::Decision& decision, const verdict::QualityGate& gate) {
    ordered_json entry{{"state", verdict::word(gate.state)},
                       {"blocked", verdict::is_blocked(decision.verdict, gate)},
                       {"least_accuracy_retained", gate.limits.least_accuracy_retained},
                       {"largest_kl", gate.limits.largest_kl}};
    if (!gate.measured) return entry;
    const auto& measured = *gate.measured;
    entry["uncertain"] = gate.uncertain;
    entry["accuracy_retained"] = measured.accuracy_retained;
    entry["accuracy_retained_error"] = measured.accuracy_retained_error;
    entry["kl_mean"] = measured.kl_mean;
    entry["kl_mean_error"] = measured.kl_mean_error;
    entry["perplexity_ratio"] = measured.perplexity_ratio;
    entry["perplexity_ratio_error"] = measured.perplexity_ratio_error;
    entry["tokens"] = measured.tokens;
    entry["text"] = measured.text;
    entry["frozen_neurons"] = measured.frozen_neurons;
    return entry;
}

ordered_json own_facts(const profile::Profile& profile, const verdict::Decision& decision,
                       const verdict::QualityGate& gate) {
    const auto& info = profile.info;
    ordered_json facts{{"version", PERMAFROST_VERSION},
                       {"architecture", info.architecture},
                       {"model_sha256", info.model_sha256},
                       {"corpus", info.corpus_source},
                       {"corpus_sha256", info.corpus_sha256},
                       {"tokens", info.tokens},
                       {"context", info.context},
                       {"complete", !decision.provisional},
                       {"rule", rule_entry(decision.rule, decision.guarded)},
                       {"verdict", verdict::word(decision.verdict)},
                       {"reason", verdict::one_sentence(decision)},
                       {"avg_speedup", decision.average_speedup},
                       {"ffn_speedup_harmonic", decision.ffn_speedup},
                       {"model_speedup_estimate", decision.model_speedup},
                       {"frozen", decision.frozen},
                       {"saturated", decision.saturated},
                       {"non_finite", non_finite_values(profile)},
                       {"quality", verdict::word(gate.state)},
                       {"quality_gate", gate_entry(decision, gate)}};
    if (info.stability) facts["adaptive_sampling"] = profile::sentence(*info.stability);
    return facts;
}

bool all_equal(const std::vector<std::uint32_t>& values) {
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

} // namespace

std::string manifest_json(const profile::Profile& profile, const verdict::Decision& decision,
                          const ExportContext& context) {
    const auto& info = profile.info;
    const auto& rule = decision.rule;
    ordered_json manifest{{"model", info.model_name},
                          {"saturation_method", masks::method_description(rule)},
                          {"profiling_date", context.profiling_date},
                          {"sampling_size", info.prompts},
                          {"intermediate_size", info.intermediate.empty() ? 0 : info.intermediate.front()},
                          {"num_layers", info.layers},
                          {"var_threshold", rule.variance_threshold},
                          {"grad_threshold", rule.gradient_threshold},
                          {"activation_threshold", rule.activation_threshold},
                          {"layers", layer_entries(profile, decision)},
                          {"saturation_trend", trend_entry(decision)},
                          {"summary", summary_entry(decision)},
                          {"permafrost", own_facts(profile, decision, context.gate)}};
    if (!all_equal(info.intermediate)) manifest["intermediate_sizes"] = info.intermediate;
    return manifest.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace permafrost::exports
