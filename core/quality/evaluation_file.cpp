// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/evaluation_file.h"

#include "core/base/atomic_file.h"
#include "core/base/number_text.h"
#include "core/formats/json_fields.h"
#include "core/formats/strict_json.h"
#include "core/text/overlap_sketch.h"

#include <array>
#include <cmath>

namespace permafrost::quality {
namespace {

using formats::number_in;
using formats::text_in;
using nlohmann::json;
using nlohmann::ordered_json;

struct Figure {
    const char* key;
    double& (*of)(Comparison&);
};
constexpr std::array figures{
    Figure{"ppl", [](Comparison& c) -> double& { return c.masked.perplexity; }},
    Figure{"ppl_error", [](Comparison& c) -> double& { return c.masked.perplexity_error; }},
    Figure{"nll", [](Comparison& c) -> double& { return c.masked.nll; }},
    Figure{"ppl_ratio", [](Comparison& c) -> double& { return c.perplexity_ratio; }},
    Figure{"ppl_ratio_error", [](Comparison& c) -> double& { return c.perplexity_ratio_error; }},
    Figure{"kl_mean", [](Comparison& c) -> double& { return c.kl_mean; }},
    Figure{"kl_mean_error", [](Comparison& c) -> double& { return c.kl_mean_error; }},
    Figure{"kl_median", [](Comparison& c) -> double& { return c.kl_median; }},
    Figure{"kl_p90", [](Comparison& c) -> double& { return c.kl_p90; }},
    Figure{"kl_p95", [](Comparison& c) -> double& { return c.kl_p95; }},
    Figure{"kl_p99", [](Comparison& c) -> double& { return c.kl_p99; }},
    Figure{"kl_p999", [](Comparison& c) -> double& { return c.kl_p999; }},
    Figure{"kl_max", [](Comparison& c) -> double& { return c.kl_max; }},
    Figure{"probability_change", [](Comparison& c) -> double& { return c.probability_change; }},
    Figure{"probability_change_rms", [](Comparison& c) -> double& { return c.probability_change_rms; }},
    Figure{"top1_agreement", [](Comparison& c) -> double& { return c.top1_agreement; }},
    Figure{"top1_accuracy", [](Comparison& c) -> double& { return c.masked.top1_accuracy; }},
    Figure{"accuracy_retained", [](Comparison& c) -> double& { return c.accuracy_retained; }},
    Figure{"accuracy_retained_error", [](Comparison& c) -> double& { return c.accuracy_retained_error; }}};

ordered_json proportion_json(const Proportion& proportion) {
    return {{"right", proportion.hits},
            {"questions", proportion.count},
            {"accuracy", proportion.share},
            {"accuracy_low", proportion.low},
            {"accuracy_high", proportion.high}};
}

// Figures that look better than they are must not lose that on the way into a manifest.
std::string overlap_note(const json& content) {
    const auto overlap = content.value("overlap", json());
    if (!overlap.is_number() || overlap.get<double>() <= text::most_overlap) return {};
    return " (" + fixed_text(100 * overlap.get<double>(), 1) +
           " % of it was in the text the mask was made from)";
}

} // namespace

ordered_json comparison_json(const Comparison& comparison) {
    auto copy = comparison;
    ordered_json json{{"name", comparison.name}};
    for (const auto& figure : figures) json[figure.key] = figure.of(copy);
    return json;
}

Comparison comparison_from_json(const json& content) {
    Comparison comparison;
    comparison.name = text_in(content, "name");
    for (const auto& figure : figures) figure.of(comparison) = number_in(content, figure.key);
    return comparison;
}

ordered_json evaluation_json(const PairedEvaluation& evaluation, const EvaluationSubject& subject,
                             const TaskEvaluation* tasks) {
    const auto& dense = evaluation.dense;
    auto masked = ordered_json::array();
    for (std::size_t i = 0; i < evaluation.masked.size(); ++i) {
        auto entry = comparison_json(evaluation.masked[i]);
        if (i < subject.mask_sha256.size()) entry["mask_sha256"] = subject.mask_sha256[i];
        if (tasks) {
            const auto& comparison = tasks->masked[i];
            entry["tasks"] = proportion_json(comparison.accuracy);
            entry["tasks"]["only_dense"] = comparison.only_dense;
            entry["tasks"]["only_masked"] = comparison.only_masked;
            entry["tasks"]["p_value"] = comparison.p_value;
        }
        masked.push_back(std::move(entry));
    }
    ordered_json result{{"dense",
                         {{"ppl", dense.perplexity},
                          {"ppl_error", dense.perplexity_error},
                          {"nll", dense.nll},
                          {"top1_accuracy", dense.top1_accuracy}}},
                        {"tokens", dense.tokens},
                        {"masked", masked},
                        {"model_sha256", subject.model_sha256},
                        {"text", subject.text},
                        {"frozen_neurons", handling_text(subject.handling)},
                        {"overlap", subject.overlap}};
    if (tasks) {
        auto& entry = result["dense"]["tasks"] = proportion_json(tasks->dense);
        entry["name"] = tasks->name;
        entry["shots"] = tasks->shots;
        if (tasks->no_benchmark) entry["note"] = "for trying out, no benchmark";
    }
    return result;
}

verdict::MeasuredQuality measured_quality(const Comparison& comparison, std::uint64_t tokens,
                                          const std::string& text, const FrozenHandling& handling) {
    return {comparison.accuracy_retained,
            comparison.accuracy_retained_error,
            comparison.kl_mean,
            comparison.kl_mean_error,
            comparison.perplexity_ratio,
            comparison.perplexity_ratio_error,
            tokens,
            text,
            handling_text(handling)};
}

Result<verdict::MeasuredQuality> read_measured_quality(const std::filesystem::path& path,
                                                       const std::string& model_sha256,
                                                       const std::string& mask_sha256) {
    const auto where = path.string();
    PERMAFROST_TRY(const auto text, read_text_file(path, std::uint64_t{64} << 20));
    PERMAFROST_TRY(const auto content, formats::parse_strictly(text, where));
    const auto masked = content.is_object() ? content.value("masked", json()) : json();
    const auto tokens = content.is_object() ? content.value("tokens", json()) : json();
    if (!masked.is_array() || !tokens.is_number_unsigned() || text_in(content, "model_sha256").empty())
        return Error{where + " is no result of `eval --output`"};
    if (text_in(content, "model_sha256") != model_sha256)
        return Error{where + " was measured with another model; evaluate the mask with this one"};
    for (const auto& entry : masked) {
        if (text_in(entry, "mask_sha256") != mask_sha256) continue;
        return verdict::MeasuredQuality{
            number_in(entry, "accuracy_retained"), number_in(entry, "accuracy_retained_error"),
            number_in(entry, "kl_mean"),           number_in(entry, "kl_mean_error"),
            number_in(entry, "ppl_ratio"),         number_in(entry, "ppl_ratio_error"),
            tokens.get<std::uint64_t>(),           text_in(content, "text") + overlap_note(content),
            text_in(content, "frozen_neurons")};
    }
    return Error{
        where +
        " has no measurement of this mask; the thresholds differ from those of the mask that was evaluated. "
        "Evaluate this one: mask --output-dir, then eval --masks"};
}

} // namespace permafrost::quality
