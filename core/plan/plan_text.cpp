// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_text.h"

#include "core/base/number_text.h"
#include "core/exports/exports.h"
#include "core/masks/rule_command.h"
#include "core/quality/evaluation_file.h"
#include "core/tensor/encode.h"

#include <algorithm>
#include <filesystem>

namespace permafrost::plan {
namespace {

using nlohmann::ordered_json;

std::string letter_of(verdict::Scenario scenario) { return std::string(1, verdict::facts(scenario).letter); }

std::string percent(double share, int decimals = 1) { return fixed_text(100 * share, decimals) + " %"; }
std::string times(double speedup) { return fixed_text(speedup, 2) + " x"; }
std::string megabytes(double bytes) { return fixed_text(bytes / 1e6, 1) + " MB"; }

/// Table cells are padded to the widest of their column.
std::string table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i == widths.size()) widths.push_back(0);
            widths[i] = std::max(widths[i], row[i].size());
        }
    std::string result;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - row[i].size(), ' ');
            result += i == 0 ? row[i] + padding : "  " + padding + row[i];
        }
        result += '\n';
    }
    return result;
}

std::string condition_text(const speed::Conditions& conditions) {
    return (conditions.tokens == 1 ? "a token at a time, "
                                   : std::to_string(conditions.tokens) + " tokens at once, ") +
           std::to_string(conditions.threads) + (conditions.threads == 1 ? " thread" : " threads");
}

std::string task_text(const quality::Proportion& accuracy) {
    return percent(accuracy.share) + " of " + std::to_string(accuracy.count);
}

std::string quality_table(const Plan& plan, const PlanRequest& request) {
    std::vector<std::vector<std::string>> rows{{"", "left out", "perplexity", "KL", "next token right"}};
    const auto& dense = plan.dense;
    rows.push_back({"dense", "", fixed_text(dense.perplexity, 2), "", percent(dense.top1_accuracy, 2)});
    if (plan.tasks) {
        rows[0].push_back("questions right");
        rows[1].push_back(task_text(plan.tasks->dense));
    }
    for (const auto& variant : plan.variants) {
        auto& row = rows.emplace_back();
        row = {letter_of(variant.scenario), percent(variant.frozen_share),
               fixed_text(variant.text.masked.perplexity, 2), fixed_text(variant.text.kl_mean, 4),
               percent(variant.text.masked.top1_accuracy, 2)};
        if (variant.tasks) row.push_back(task_text(variant.tasks->accuracy));
    }
    std::string title = "Quality on " + request.text_name + ", " + std::to_string(dense.tokens) +
                        " tokens; what is left out keeps its mean";
    if (plan.tasks)
        title += "\nQuestions: " + plan.tasks->name +
                 (plan.tasks->no_benchmark ? " (for trying out, no benchmark)" : "") + ", " +
                 std::to_string(plan.tasks->shots) + " examples before each";
    return title + "\n" + table(rows);
}

/// Between the 10th and the 90th percentile of the repeats, of their median: the largest of all ways.
double largest_spread(const Plan& plan) {
    double largest = 0;
    const auto look_at = [&](const speed::WaySpeed& way) {
        largest = std::max(largest, (way.slowest - way.fastest) / way.seconds);
    };
    for (const auto& measured : plan.speed) {
        look_at(measured.two_products);
        look_at(measured.fused);
        for (const auto& set : measured.frozen) {
            look_at(set.masked);
            if (set.compacted) look_at(*set.compacted);
        }
    }
    return largest;
}

std::string busy_note(const Plan& plan) {
    constexpr double calm = 0.3;
    const double spread = largest_spread(plan);
    if (spread <= calm) return {};
    return "NOTE: repeats differ by up to " + percent(spread, 0) +
           ": other programs use this machine, so measure again when it is calm.\n";
}

std::string speed_table(const Plan& plan) {
    std::vector<std::vector<std::string>> rows{{"", "A", "B", "C", "D", "memory"}};
    for (std::size_t i = 0; i < plan.speed.size(); ++i) {
        auto& row = rows.emplace_back();
        row.push_back(condition_text(plan.speed[i].conditions));
        for (const auto& variant : plan.variants) row.push_back(times(variant.speedups[i]));
        row.push_back(times(plan.fusion[i]));
        row.push_back(fixed_text(plan.speed[i].stream_gbps, 1) + " GB/s");
    }
    auto& whole = rows.emplace_back();
    whole.push_back("whole model, estimate (first line)");
    for (const auto& variant : plan.variants) whole.push_back(times(variant.model_speedups.front()));
    whole.push_back(times(speed::whole_model_speedup(plan.ffn_share, plan.fusion.front())));
    auto& seeds = rows.emplace_back();
    seeds.push_back("the seeds' figures, another model");
    for (const auto scenario : verdict::scenarios)
        seeds.push_back(times(verdict::facts(scenario).seeds_speedup));
    auto& saved = rows.emplace_back();
    saved.push_back("weights saved");
    for (const auto& variant : plan.variants)
        saved.push_back(
            megabytes(static_cast<double>(plan.ffn_bytes) - static_cast<double>(variant.weight_bytes)));
    saved.push_back(megabytes(0));
    auto& risk = rows.emplace_back();
    risk.push_back("risk, as the seeds see it");
    for (const auto scenario : verdict::scenarios)
        risk.push_back(std::string(verdict::facts(scenario).risk_word));
    return "Speed of the feed-forward layers against two products, measured here\n" + table(rows) +
           busy_note(plan);
}

/// One that down matrices are written in without asking for another.
std::string down_type(const PlanRequest& request) {
    for (const auto& view : request.model->tensors())
        if (view.name.find("ffn_down.weight") != std::string::npos && tensor::can_encode(view.type))
            return std::string(tensor::info(view.type).name);
    return {};
}

ordered_json loss_json(const std::optional<verdict::AccuracyLoss>& loss) {
    if (!loss) return nullptr;
    return {{"loss", loss->loss}, {"error", loss->error}, {"count", loss->count}, {"right", loss->right}};
}

ordered_json variant_json(const PlannedVariant& variant, const Plan& plan, const PlanRequest& request,
                          const PlanFiles& files) {
    ordered_json json{{"scenario", letter_of(variant.scenario)},
                      {"rule", masks::rule_name(variant.rule)},
                      {"frozen", variant.frozen},
                      {"frozen_share", variant.frozen_share},
                      {"text", quality::comparison_json(variant.text)},
                      {"token_loss", loss_json(variant.measured.tokens)},
                      {"task_loss", loss_json(variant.measured.tasks)},
                      {"weight_bytes_saved", plan.ffn_bytes - std::min(plan.ffn_bytes, variant.weight_bytes)},
                      {"seeds_speedup", verdict::facts(variant.scenario).seeds_speedup}};
    auto speed = ordered_json::array();
    for (std::size_t i = 0; i < variant.speedups.size(); ++i)
        speed.push_back({{"threads", plan.speed[i].conditions.threads},
                         {"tokens", plan.speed[i].conditions.tokens},
                         {"speedup", variant.speedups[i]},
                         {"model_speedup", variant.model_speedups[i]}});
    json["speed"] = std::move(speed);
    if (variant.tasks) json["accuracy"] = variant.tasks->accuracy.share;
    json["commands"] = export_commands(variant, request, files);
    return json;
}

} // namespace

std::vector<std::string> export_commands(const PlannedVariant& variant, const PlanRequest& request,
                                         const PlanFiles& files) {
    const auto folder = "scenario-" + letter_of(variant.scenario);
    std::vector<std::string> mask{"permafrost-cli", "mask", files.profile};
    for (auto& word : masks::rule_arguments(variant.rule)) mask.push_back(std::move(word));
    mask.insert(mask.end(), {"--output-dir", folder});
    const auto rknot = exports::export_paths(request.profile->info.model_name, folder).back().string();
    const bool folder_of_parts = request.model->format() == formats::FileFormat::Safetensors;
    std::vector<std::string> prune{
        "permafrost-cli", "prune", files.model,
        "--masks",        rknot,   "--fold-mean",
        files.profile,    "-o",    folder + "/smaller" + (folder_of_parts ? "" : ".gguf")};
    if (const auto type = down_type(request); !type.empty() && !folder_of_parts)
        prune.insert(prune.end(), {"--type", type});
    return {masks::shell_line(mask), masks::shell_line(prune)};
}

std::string plan_text(const Plan& plan, const PlanRequest& request, const PlanFiles& files) {
    std::string text = quality_table(plan, request) + "\n" + speed_table(plan) + "\n";
    for (const auto& step : plan.path.steps)
        text += letter_of(step.scenario) + "  " + std::string(verdict::facts(step.scenario).title) + "\n   " +
                step.reason + "\n";
    const auto chosen = plan.path.chosen();
    const auto index = static_cast<std::size_t>(chosen);
    text +=
        "\nScenario " + letter_of(chosen) + ": feed-forward layers " +
        times(index < plan.variants.size() ? plan.variants[index].speedups.front() : plan.fusion.front()) +
        " as fast as two products here";
    text += plan.path.certain()
                ? ".\n"
                : ". Not certain: what was measured lies too near a limit, or there were too few questions; "
                  "measure on more.\n";
    if (index >= plan.variants.size()) {
        text += "There is nothing to export: a kernel that fuses gate and up needs no other model. A, B and "
                "C can still be "
                "tried:\n";
        for (const auto& variant : plan.variants) {
            if (variant.frozen == 0) continue;
            for (const auto& command : export_commands(variant, request, files))
                text += "  " + command + "\n";
        }
        return text;
    }
    text += "Export it with:\n";
    for (const auto& command : export_commands(plan.variants[index], request, files))
        text += "  " + command + "\n";
    return text;
}

ordered_json plan_json(const Plan& plan, const PlanRequest& request, const PlanFiles& files) {
    ordered_json json{{"scenario", letter_of(plan.path.chosen())}, {"certain", plan.path.certain()}};
    json["steps"] = ordered_json::array();
    for (const auto& step : plan.path.steps)
        json["steps"].push_back({{"scenario", letter_of(step.scenario)},
                                 {"taken", step.taken},
                                 {"certain", step.certain},
                                 {"reason", step.reason}});
    json["variants"] = ordered_json::array();
    for (const auto& variant : plan.variants)
        json["variants"].push_back(variant_json(variant, plan, request, files));
    json["fusion"] = ordered_json::array();
    for (std::size_t i = 0; i < plan.speed.size(); ++i)
        json["fusion"].push_back({{"threads", plan.speed[i].conditions.threads},
                                  {"tokens", plan.speed[i].conditions.tokens},
                                  {"speedup", plan.fusion[i]},
                                  {"stream_gbps", plan.speed[i].stream_gbps},
                                  {"gemm_gflops", plan.speed[i].gemm_gflops}});
    json["largest_spread"] = largest_spread(plan);
    json["dense"] = {{"ppl", plan.dense.perplexity},       {"top1_accuracy", plan.dense.top1_accuracy},
                     {"tokens", plan.dense.tokens},        {"text", request.text_name},
                     {"ffn_weight_bytes", plan.ffn_bytes}, {"ffn_share_of_bytes", plan.ffn_share}};
    if (plan.tasks)
        json["tasks"] = {{"name", plan.tasks->name},
                         {"shots", plan.tasks->shots},
                         {"questions", plan.tasks->dense.count},
                         {"accuracy", plan.tasks->dense.share},
                         {"no_benchmark", plan.tasks->no_benchmark}};
    return json;
}

} // namespace permafrost::plan
