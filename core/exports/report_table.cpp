// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/exports/export_text.h"
#include "core/exports/exports.h"

#include <array>
#include <string_view>

namespace permafrost::exports {
namespace {

using verdict::Decision;
using verdict::Trend;

constexpr std::array<std::string_view, 7> columns{"Layer",    "Neurons", "Saturated%", "AvgVarGate",
                                                  "AvgVarUp", "Speedup", "Frozen%"};

/// Values under their column's heading, two spaces apart as in the seeds; no spaces at the end of the line.
std::string table_line(const std::array<std::string, columns.size()>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        line += cells[i];
        const std::size_t width = columns[i].size() + 2;
        line.append(cells[i].size() < width ? width - cells[i].size() : 1, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
}

std::string heading() {
    std::array<std::string, columns.size()> cells;
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = columns[i];
    return table_line(cells);
}

std::string layer_line(const verdict::LayerMetrics& layer) {
    const std::string index = std::to_string(layer.layer);
    const std::string neurons = std::to_string(layer.neurons);
    if (!layer.profiled) return table_line({index, neurons, "-", "-", "-", "-", "-"});
    return table_line({index, neurons, percent_text(layer.saturated_share),
                       fixed_text(layer.average_gate_variance, 6), fixed_text(layer.average_up_variance, 6),
                       speedup_text(layer.speedup), percent_text(layer.frozen_share)});
}

std::uint64_t non_finite_values(const profile::Profile& profile) {
    std::uint64_t total = 0;
    for (const auto& layer : profile.layers)
        if (layer) total += layer->non_finite();
    return total;
}

std::string summary(const profile::Profile& profile, const Decision& decision) {
    std::string text = "\n=== Summary Statistics ===\n";
    text += "Rule: " + masks::rule_name(decision.rule) + "\n";
    text += "Tokens: " + std::to_string(profile.info.tokens) + "\n";
    if (const auto& stability = profile.info.stability)
        text += "Adaptive sampling: " + plain_text(profile::sentence(*stability)) + "\n";
    text += "Average saturated neurons: " + percent_text(decision.saturated_share) + "%\n";
    text += "Average frozen neurons: " + percent_text(decision.frozen_share) + "%\n";
    text += "Average estimated speedup: " + speedup_text(decision.average_speedup) +
            " (an upper bound: mean over layers of 1 / (1 - frozen share))\n";
    text += "All FFN work over the work left: " + speedup_text(decision.ffn_speedup) + " (upper bound)\n";
    text += "Whole model, batch 1: " + speedup_text(decision.model_speedup) + " (estimate)\n";
    if (decision.rule.guard)
        text +=
            "Guarded neurons, not frozen because of rare spikes: " + std::to_string(decision.guarded) + "\n";
    if (const auto count = non_finite_values(profile); count > 0)
        text += "Non-finite values left out: " + std::to_string(count) + "\n";
    return text;
}

std::string band_line(std::string_view name, const verdict::Band& band) {
    if (band.empty) return {};
    constexpr std::size_t width = 23;
    std::string line =
        std::string(name) + " layers (" + std::to_string(band.first) + "-" + std::to_string(band.last) + "):";
    line.append(line.size() < width ? width - line.size() : 1, ' ');
    return line + percent_text(band.saturated_share) + "% saturated, " + percent_text(band.frozen_share) +
           "% frozen\n";
}

std::string trend_lines(const Decision& decision) {
    std::string shares(" (");
    shares += percent_text(decision.bands[0].frozen_share) + "% -> " +
              percent_text(decision.bands[2].frozen_share) + "% frozen)\n";
    switch (decision.trend) {
    case Trend::Increases:
        return "Trend: Saturation INCREASES with depth" + shares +
               "Interpretation: Deeper layers have more redundancy, potentially prunable.\n";
    case Trend::Decreases:
        return "Trend: Saturation DECREASES with depth" + shares +
               "Interpretation: Early layers have more redundancy, potentially prunable.\n";
    case Trend::Uniform:
        break;
    }
    return "Trend: Saturation is UNIFORM across depth" + shares +
           "Interpretation: No depth stands out; layers are about equally redundant.\n";
}

std::string verdict_lines(const Decision& decision, const verdict::QualityGate& gate) {
    std::string text = "\n=== Verdict ===\n";
    text += verdict::recommendation(decision.verdict);
    text += '\n';
    text += verdict::one_sentence(decision) + "\n";
    text += gate.measured ? verdict::one_sentence(gate) + "\n" : std::string("Quality: not measured\n");
    if (verdict::is_blocked(decision.verdict, gate))
        text += "BLOCKED: the measured quality speaks against these masks.\n";
    if (decision.provisional) text += "Provisional: the profile is not complete.\n";
    return text;
}

} // namespace

std::string report_table(const profile::Profile& profile, const Decision& decision,
                         const verdict::QualityGate& gate) {
    std::string text =
        "=== " + plain_text(profile.info.model_name) + " Saturation Profile ===\n\n" + heading();
    for (const auto& layer : decision.layers) text += layer_line(layer);
    text += summary(profile, decision);
    text += "\n=== Saturation by Depth ===\n";
    text += band_line("Early", decision.bands[0]) + band_line("Mid", decision.bands[1]) +
            band_line("Late", decision.bands[2]);
    text += '\n';
    text += trend_lines(decision);
    return text + verdict_lines(decision, gate);
}

} // namespace permafrost::exports
