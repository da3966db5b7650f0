// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluation_text.h"
#include "app/cli/option_checks.h"
#include "app/cli/rule_options.h"
#include "core/base/atomic_file.h"
#include "core/base/number_text.h"
#include "core/base/output_target.h"
#include "core/masks/least_harm.h"
#include "core/profile/profile_file.h"
#include "core/quality/loss_estimate.h"
#include "core/quality/sweep_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>

namespace permafrost::cli {
namespace {

struct SweepOptions {
    std::string model;
    std::string profile;
    RuleOptions rule;
    std::vector<std::string> over;
    std::vector<std::string> handlings{"zero"};
    EvaluationText text;
    std::size_t threads = 0;
    std::size_t at_once = 4;
    std::string output;
    bool quiet = false;
    bool json = false;
};

/// One number of the rule and the values it takes.
struct Range {
    double masks::FreezeRule::*number = nullptr; ///< null: the share frozen at least harm
    std::vector<double> values;
};

constexpr const char* target_share = "target-share";

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto place = text.find(at);
        parts.push_back(text.substr(0, place));
        if (place == std::string_view::npos) return parts;
        text.remove_prefix(place + 1);
    }
}

std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
        return std::nullopt;
    return value;
}

// variance=0.001:0.1:9 are nine values in equal ratios (equal steps for shares); variance=0.01,0.02 are those.
Result<Range> parse_range(const std::string& text) {
    const auto refused = Error{"\"" + text +
                               "\" names no values to sweep over; write NAME=FROM:TO:COUNT or "
                               "NAME=VALUE,VALUE with a NAME of variance, "
                               "gradient, activation, inactive, quantile, guard or target-share"};
    const auto equal = text.find('=');
    if (equal == std::string::npos) return refused;
    const auto name = text.substr(0, equal);
    Range range{masks::number_named(name), {}};
    if (!range.number && name != target_share) return refused;
    const auto values = std::string_view(text).substr(equal + 1);
    const auto ends = split(values, ':');
    if (ends.size() == 3) {
        const auto from = number(ends[0]), to = number(ends[1]), count = number(ends[2]);
        const bool share = name == target_share || name == "quantile" || name == "inactive";
        if (!from || !to || !count || *count < 2 || *count > 1000 || *count != std::floor(*count) ||
            (!share && (*from == 0 || *to == 0)))
            return refused;
        range.values = quality::spread(*from, *to, static_cast<std::size_t>(*count), !share);
        return range;
    }
    for (const auto part : split(values, ',')) {
        const auto value = number(part);
        if (!value) return refused;
        range.values.push_back(*value);
    }
    return range;
}

/// Every combination of the ranges' values with every handling.
Result<std::vector<quality::SweepSetting>> settings_of(const SweepOptions& options,
                                                       const profile::Profile& profile) {
    PERMAFROST_TRY(const auto base, options.rule.read(profile.info.layers));
    std::vector<masks::FreezeRule> rules{base};
    for (const auto& text : options.over) {
        PERMAFROST_TRY(const auto range, parse_range(text));
        std::vector<masks::FreezeRule> wider;
        for (const auto& rule : rules)
            for (const double value : range.values) {
                if (!range.number) {
                    PERMAFROST_TRY(auto chosen,
                                   masks::freeze_at_least_harm(profile, rule, value, interruption()));
                    wider.push_back(std::move(chosen));
                    continue;
                }
                auto changed = rule;
                changed.*range.number = value;
                if (auto valid = masks::validate(changed, profile.info.layers); !valid.ok())
                    return Error{text + ": " + valid.message()};
                wider.push_back(std::move(changed));
            }
        rules = std::move(wider);
    }
    std::vector<quality::SweepSetting> settings;
    for (const auto& text : options.handlings) {
        PERMAFROST_TRY(const auto handling, quality::parse_handling(text));
        for (const auto& rule : rules) settings.push_back({rule, handling});
    }
    return settings;
}

/// What an earlier run left, if it is about the same; an interrupted sweep goes on from its output.
Result<quality::Sweep> begun(const SweepOptions& options, const quality::SweepSubject& subject) {
    quality::Sweep sweep;
    sweep.subject = subject;
    std::error_code ignored;
    if (options.output.empty() || !std::filesystem::exists(options.output, ignored)) return sweep;
    PERMAFROST_TRY(auto earlier, quality::read_sweep(options.output));
    if (!(earlier.subject == subject))
        return Error{options.output +
                     " is a sweep of another model or text; choose another output, or remove it"};
    return earlier;
}

void print_sweep(const quality::Sweep& sweep, const std::vector<std::string>& over) {
    std::printf("Dense model: perplexity %.4f +/- %.4f (%llu scored tokens)\n\n", sweep.dense.perplexity,
                sweep.dense.perplexity_error, static_cast<unsigned long long>(sweep.dense.tokens));
    std::printf("%-28s %-7s %8s %9s %10s %11s %9s %9s\n", "rule", "frozen", "share %", "speed-up",
                "ppl ratio", "KL", "+/-", "same 1st");
    const auto front = quality::pareto_front(sweep.settings);
    for (std::size_t i = 0; i < sweep.settings.size(); ++i) {
        const auto& swept = sweep.settings[i];
        auto name = masks::rule_name(swept.setting.rule);
        for (const auto& text : over) {
            const auto swept_name = text.substr(0, text.find('='));
            if (const auto number = masks::number_named(swept_name))
                name = swept_name + " " + general_text(swept.setting.rule.*number) +
                       (over.size() > 1 && &text != &over.front() ? ", " + name : "");
        }
        std::printf("%-28s %-7s %8.3f %8.4fx %10.5f %11.6f %9.6f %8.2f%%%s\n", name.c_str(),
                    quality::handling_text(swept.setting.handling).c_str(), 100 * swept.frozen_share,
                    swept.estimated_speedup, swept.result.perplexity_ratio, swept.result.kl_mean,
                    swept.result.kl_mean_error, 100 * swept.result.top1_agreement,
                    std::find(front.begin(), front.end(), i) == front.end() ? "" : " *");
    }
    std::printf("\n* no other setting has more estimated speed-up for no more KL\n");
    const auto error = quality::prediction_error(sweep.settings, 5);
    if (error.predicted > 0)
        std::printf(
            "Instant estimate, from five of these settings: the KL of the other %zu is off by %.1f %% in the "
            "median, %.1f %% at most\n",
            error.predicted, 100 * error.median, 100 * error.most);
}

Result<void> run_sweep(const SweepOptions& options) {
    if (!options.output.empty())
        PERMAFROST_CHECK(check_output(options.output, {options.model, options.profile, options.text.text}));
    PERMAFROST_TRY(const auto file, formats::open_model_file(options.model));
    PERMAFROST_TRY(const auto profile, profile::read_profile(options.profile));
    if (profile->info.model_sha256 != file->header_sha256())
        return Error{options.profile + " is a profile of another model (" + profile->info.model_name +
                     "); profile " + options.model + " first"};
    PERMAFROST_TRY(const auto settings, settings_of(options, *profile));
    PERMAFROST_TRY(const auto corpus, read_windows(options.text, *file));
    quality::SweepSubject subject{
        file->header_sha256(), name_of(options.text),
        corpus.sha256,         corpus.sequences.size(),
        options.text.context,  text::shared_share(profile->info.corpus_sketch, corpus)};
    PERMAFROST_CHECK(check_overlap(options.text, options.profile, subject.overlap));
    PERMAFROST_TRY(auto sweep, begun(options, subject));
    const auto known = sweep.settings.size();
    if (known > 0 && !options.quiet)
        std::fprintf(stderr, "%zu settings are known from %s\n", known, options.output.c_str());
    Result<void> kept;
    std::stop_source stop;
    const std::stop_callback interrupted(interruption(), [&] { stop.request_stop(); });
    quality::SweepObserver observer;
    int shown = -1;
    observer.progress = [&](double share) {
        const int percent = static_cast<int>(100 * share);
        if (!options.quiet && percent >= shown + 5) std::fprintf(stderr, "%3d %%\n", shown = percent);
    };
    observer.pass_done = [&](const quality::Sweep& so_far) {
        if (options.output.empty() || !kept.ok()) return;
        kept = write_file(options.output, quality::sweep_json(so_far).dump(1) + "\n");
        if (!kept.ok()) stop.request_stop(); // what cannot be kept is not worth hours
    };
    quality::EvaluationSettings evaluation{options.text.context, options.threads};
    auto result = quality::evaluate_sweep(file, *profile, corpus, settings, std::move(sweep), evaluation,
                                          options.at_once, observer, stop.get_token());
    PERMAFROST_CHECK(kept);
    PERMAFROST_TRY(const auto done, std::move(result));
    const auto json = quality::sweep_json(done);
    if (!options.output.empty()) PERMAFROST_CHECK(write_file(options.output, json.dump(1) + "\n"));
    if (options.json)
        print_json(json);
    else
        print_sweep(done, options.over);
    return {};
}

} // namespace

void add_sweep_command(Commands& commands) {
    auto options = std::make_shared<SweepOptions>();
    auto* command =
        add_command(commands, "sweep", "what many settings of the freeze rule cost in quality, resumable",
                    [options] { return run_sweep(*options); });
    command->add_option("MODEL", options->model, "model file, or demo")->required();
    command->add_option("--profile", options->profile, "profile of the model (.frost)")->required();
    command
        ->add_option("--over", options->over,
                     "NAME=FROM:TO:COUNT or NAME=VALUE,VALUE,…: variance, gradient, activation, inactive, "
                     "quantile, guard "
                     "or target-share; given again, every combination")
        ->required()
        ->allow_extra_args(false);
    command
        ->add_option("--handling", options->handlings,
                     "of frozen neurons: zero, mean or better; given again, each of them")
        ->allow_extra_args(false);
    options->rule.add_to(*command);
    options->text.add_to(*command);
    command
        ->add_option("--at-once", options->at_once,
                     "settings to a pass; more share more work and take more memory")
        ->check(whole_number(1, 64))
        ->capture_default_str();
    command->add_option("--threads", options->threads, "threads (default: one a processor)")
        ->check(whole_number(0, 1024));
    command->add_option("-o,--output", options->output,
                        "JSON file, written after every pass; a sweep goes on from what it has");
    command->add_flag("--quiet", options->quiet, "no progress");
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
