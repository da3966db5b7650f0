// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/masks/freeze_kernel.h"

#include <cmath>

namespace permafrost::masks {
namespace {

using profile::LayerProfile;

std::string number(double value) { return general_text(value, 3); }

void append(std::string& list, const std::string& part) {
    if (!list.empty()) list += ", ";
    list += part;
}

void judge_criteria(const LayerProfile& layer, const FreezeRule& rule, std::size_t neuron,
                    NeuronVerdict& verdict) {
    const FreezeLimits limits(layer, rule);
    verdict.low_variance = layer.variance()[neuron] < limits.variance;
    verdict.zero_gradient = std::fabs(layer.mean()[neuron]) < limits.gradient;
    verdict.low_activity = limits.any_edge && layer.below(limits.edge)[neuron] >
                                                  inactive_limit(rule.inactive_share, layer.count(neuron));
}

std::string criteria_met(const FreezeRule& rule, const NeuronVerdict& verdict) {
    std::string text;
    if (rule.use_variance && verdict.low_variance) append(text, "low variance");
    if (rule.use_gradient && verdict.zero_gradient) append(text, "zero gradient");
    if (rule.use_activity && verdict.low_activity) append(text, "low activity");
    return text;
}

std::string criteria_missed(const LayerProfile& layer, const FreezeRule& rule, const NeuronVerdict& verdict,
                            std::size_t neuron) {
    std::string text;
    if (rule.use_variance && !verdict.low_variance)
        append(text,
               "variance " + number(layer.variance()[neuron]) + " >= " + number(rule.variance_threshold));
    if (rule.use_gradient && !verdict.zero_gradient)
        append(text, "|mean| " + number(std::fabs(layer.mean()[neuron])) +
                         " >= " + number(rule.gradient_threshold));
    if (rule.use_activity && !verdict.low_activity)
        append(text, "inactive on " + number(100 * layer.low_activity(neuron, rule.activation_threshold)) +
                         " % of tokens, not more than " + number(100 * rule.inactive_share) + " %");
    return text;
}

std::string ranking(const LayerProfile& layer, const FreezeRule& rule, std::size_t neuron, bool among) {
    const auto smallest = (among ? " among the layer's smallest " : " not both among the layer's smallest ") +
                          number(100 * rule.quantile) + " %";
    if (rule.method == FreezeRule::Method::VarianceGradient)
        return "variance " + number(layer.variance()[neuron]) + " and temporal gradient " +
               number(layer.temporal_gradient(neuron)) + " are" + smallest;
    const bool by_rms = rule.method == FreezeRule::Method::Quantile;
    return (by_rms ? "RMS " : "impact ") + number(by_rms ? layer.rms()[neuron] : layer.impact()[neuron]) +
           (among ? " is" : " is not") + " among the layer's smallest " + number(100 * rule.quantile) + " %";
}

std::string guard_reason(const LayerProfile& layer, const FreezeRule& rule, std::size_t neuron) {
    return "guarded: peak " + number(layer.peak()[neuron]) + " times down norm " +
           number(layer.down_norm()[neuron]) + " reaches " + number(rule.guard_ratio) +
           " times the layer's typical output " + number(layer.typical_output());
}

std::string active_reason(const LayerProfile& layer, const FreezeRule& rule, const NeuronVerdict& verdict,
                          std::size_t neuron, bool included) {
    if (layer.count(neuron) == 0) return "active: no finite value was seen";
    if (std::isnan(layer.guard_score()[neuron])) return "active: the down column is not finite";
    if (!included) return "active: the layer is not among those chosen";
    if (rule.method != FreezeRule::Method::Criteria) return "active: " + ranking(layer, rule, neuron, false);
    return "active: " + criteria_missed(layer, rule, verdict, neuron);
}

} // namespace

NeuronVerdict explain(const LayerProfile& layer, const FreezeRule& rule, const LayerMask& mask,
                      std::size_t neuron, bool included) {
    NeuronVerdict verdict;
    judge_criteria(layer, rule, neuron, verdict);
    verdict.frozen = mask.frozen.test(neuron);
    verdict.guarded = mask.guarded.test(neuron);
    if (verdict.guarded)
        verdict.reason = guard_reason(layer, rule, neuron);
    else if (!verdict.frozen)
        verdict.reason = active_reason(layer, rule, verdict, neuron, included);
    else if (rule.method == FreezeRule::Method::Criteria)
        verdict.reason = criteria_met(rule, verdict);
    else
        verdict.reason = ranking(layer, rule, neuron, true);
    return verdict;
}

} // namespace permafrost::masks
