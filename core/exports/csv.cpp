// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/exports/exports.h"

namespace permafrost::exports {
namespace {

constexpr std::string_view report_columns = "layer,neurons,saturated_pct,avg_var_gate,avg_var_up,speedup,"
                                            "frozen_pct,avg_var_ffn,saturated,frozen,guarded,cliff_score\n";
constexpr std::string_view neuron_columns =
    "neuron,count,mean,variance,min,max,low_activity,gate_mean,gate_variance,"
    "up_mean,up_variance,temporal_gradient,down_norm,frozen,reason\n";

/// One line of values with commas between them.
class Row {
  public:
    explicit Row(std::string& text) : text_(text) {}
    ~Row() { text_.back() = '\n'; }
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;

    Row& add(const std::string& value) {
        text_ += value;
        text_ += ',';
        return *this;
    }
    Row& add(std::uint64_t value) { return add(std::to_string(value)); }
    Row& add(double value) { return add(general_text(value)); }
    Row& add_quoted(const std::string& value) {
        text_ += '"';
        for (const char c : value) {
            if (c == '"') text_ += '"';
            text_ += c;
        }
        text_ += "\",";
        return *this;
    }

  private:
    std::string& text_;
};

} // namespace

std::string report_csv(const profile::Profile& profile, const verdict::Decision& decision) {
    std::string text(report_columns);
    const auto scores = cliff_scores(profile, decision);
    for (const auto& layer : decision.layers) {
        if (!layer.profiled) continue;
        const auto score = scores.find(layer.layer);
        Row(text)
            .add(std::uint64_t{layer.layer})
            .add(std::uint64_t{layer.neurons})
            .add(fixed_text(100 * layer.saturated_share, 4))
            .add(fixed_text(layer.average_gate_variance, 6))
            .add(fixed_text(layer.average_up_variance, 6))
            .add(fixed_text(layer.speedup, 4))
            .add(fixed_text(100 * layer.frozen_share, 4))
            .add(fixed_text(layer.average_variance, 6))
            .add(std::uint64_t{layer.saturated})
            .add(std::uint64_t{layer.frozen})
            .add(std::uint64_t{layer.guarded})
            .add(score == scores.end() ? std::string() : fixed_text(score->second, 4));
    }
    return text;
}

std::string neurons_csv(const profile::LayerProfile& layer, const masks::LayerMask& mask,
                        const masks::FreezeRule& rule, bool included) {
    std::string text(neuron_columns);
    const auto& statistics = layer.statistics();
    for (std::size_t neuron = 0; neuron < layer.neurons(); ++neuron) {
        const auto verdict = masks::explain(layer, rule, mask, neuron, included);
        Row(text)
            .add(std::uint64_t{neuron})
            .add(layer.count(neuron))
            .add(double{layer.mean()[neuron]})
            .add(double{layer.variance()[neuron]})
            .add(double{statistics.minimum[neuron]})
            .add(double{statistics.maximum[neuron]})
            .add(layer.low_activity(neuron, rule.activation_threshold))
            .add(layer.gate_mean(neuron))
            .add(layer.gate_variance(neuron))
            .add(layer.up_mean(neuron))
            .add(layer.up_variance(neuron))
            .add(layer.temporal_gradient(neuron))
            .add(double{layer.down_norm()[neuron]})
            .add(std::string(verdict.frozen ? "1" : "0"))
            .add_quoted(verdict.reason);
    }
    return text;
}

} // namespace permafrost::exports
