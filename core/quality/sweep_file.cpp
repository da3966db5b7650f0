// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/sweep_file.h"

#include "core/base/atomic_file.h"
#include "core/formats/json_fields.h"
#include "core/formats/strict_json.h"
#include "core/masks/rule_json.h"
#include "core/quality/evaluation_file.h"

#include <cmath>

namespace permafrost::quality {
namespace {

using formats::number_in;
using formats::text_in;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* format_name = "permafrost.sweep";
constexpr std::uint64_t largest_file = std::uint64_t{256} << 20;

Result<SweptSetting> read_setting(const json& entry) {
    if (!entry.is_object()) return Error{"it is no object"};
    SweptSetting swept;
    const auto rule = entry.value("rule", json());
    if (!rule.is_object()) return Error{"it has no rule"};
    PERMAFROST_TRY(swept.setting.rule, masks::rule_from_json(rule));
    PERMAFROST_TRY(swept.setting.handling, parse_handling(text_in(entry, "frozen_neurons")));
    swept.frozen_share = number_in(entry, "frozen_share");
    swept.estimated_speedup = number_in(entry, "estimated_speedup");
    swept.output_loss = number_in(entry, "output_loss");
    swept.mask_sha256 = text_in(entry, "mask_sha256");
    swept.variant_sha256 = text_in(entry, "variant_sha256");
    swept.result = comparison_from_json(entry);
    return swept;
}

} // namespace

ordered_json sweep_json(const Sweep& sweep) {
    const auto& dense = sweep.dense;
    auto settings = ordered_json::array();
    for (const auto& swept : sweep.settings) {
        ordered_json entry{{"rule", masks::rule_to_json(swept.setting.rule)},
                           {"frozen_neurons", handling_text(swept.setting.handling)},
                           {"frozen_share", swept.frozen_share},
                           {"estimated_speedup", swept.estimated_speedup},
                           {"output_loss", swept.output_loss},
                           {"mask_sha256", swept.mask_sha256},
                           {"variant_sha256", swept.variant_sha256}};
        entry.update(comparison_json(swept.result));
        settings.push_back(std::move(entry));
    }
    return {{"format", format_name},
            {"version", 1},
            {"model_sha256", sweep.subject.model_sha256},
            {"text", sweep.subject.text},
            {"text_sha256", sweep.subject.text_sha256},
            {"windows", sweep.subject.windows},
            {"context", sweep.subject.context},
            {"overlap", sweep.subject.overlap},
            {"tokens", dense.tokens},
            {"dense",
             {{"ppl", dense.perplexity},
              {"ppl_error", dense.perplexity_error},
              {"nll", dense.nll},
              {"top1_accuracy", dense.top1_accuracy}}},
            {"settings", settings},
            {"pareto", pareto_front(sweep.settings)}};
}

Result<Sweep> read_sweep(const std::filesystem::path& path) {
    const auto where = path.string();
    PERMAFROST_TRY(const auto text, read_text_file(path, largest_file));
    PERMAFROST_TRY(const auto content, formats::parse_strictly(text, where));
    if (!content.is_object() || text_in(content, "format") != format_name)
        return Error{where + " is no result of a sweep"};
    if (content.value("version", json()) != 1)
        return Error{where + " was written by a newer Permafrost; use that one, or a newer one"};
    Sweep sweep;
    sweep.subject.model_sha256 = text_in(content, "model_sha256");
    sweep.subject.text = text_in(content, "text");
    sweep.subject.text_sha256 = text_in(content, "text_sha256");
    const auto whole = [&](const char* key) {
        const auto value = content.value(key, json());
        return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
    };
    sweep.subject.context = static_cast<std::uint32_t>(std::min<std::uint64_t>(whole("context"), UINT32_MAX));
    sweep.subject.windows = whole("windows");
    sweep.subject.overlap = number_in(content, "overlap");
    sweep.dense.tokens = whole("tokens");
    if (const auto dense = content.value("dense", json()); dense.is_object()) {
        sweep.dense.perplexity = number_in(dense, "ppl");
        sweep.dense.perplexity_error = number_in(dense, "ppl_error");
        sweep.dense.nll = number_in(dense, "nll");
        sweep.dense.top1_accuracy = number_in(dense, "top1_accuracy");
    }
    const auto settings = content.value("settings", json());
    if (!settings.is_array()) return Error{where + " is no result of a sweep: it has no settings"};
    for (std::size_t i = 0; i < settings.size(); ++i) {
        auto swept = read_setting(settings[i]);
        if (!swept.ok()) return Error{where + ", setting " + std::to_string(i + 1) + ": " + swept.message()};
        sweep.settings.push_back(std::move(swept).value());
    }
    return sweep;
}

} // namespace permafrost::quality
