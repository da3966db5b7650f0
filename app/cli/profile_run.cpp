// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile_run.h"

#include "app/cli/console.h"
#include "app/cli/option_checks.h"
#include "app/cli/profile_ranks.h"
#include "app/cli/ranks.h"
#include "core/base/output_target.h"
#include "core/model/model_config.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>
#include <set>

namespace permafrost::cli {
namespace {

/// Tells a person what became of the work of a cancelled run.
void report_cancelled(const std::filesystem::path& checkpoint, bool written) {
    if (!Ranks::here().alone())
        std::cerr << "note: each rank keeps its finished part in a file such as " << checkpoint.string()
                  << "; the same command with --resume goes on from there\n";
    else if (written)
        std::cerr << "note: the finished part is kept in " << checkpoint.string()
                  << "; the same command with --resume goes on from there\n";
    else
        std::cerr << "note: no part was finished, so there is nothing to resume\n";
}

/// A shard of fewer pieces of work than there are shards may have nothing to do.
void report_empty(const profile::ProfileInfo& info, const std::string& shard) {
    if (std::find(info.tiles_done.begin(), info.tiles_done.end(), true) == info.tiles_done.end())
        std::cerr << "note: shard " << shard << " has nothing to do, since the text makes only " << info.tiles
                  << (info.tiles == 1 ? " piece" : " pieces") << " of work; its profile is empty\n";
}

/// Ranks are the shards of their run.
Result<std::pair<std::uint32_t, std::uint32_t>> shard_of(const RunOptions& options, const Ranks& ranks) {
    PERMAFROST_TRY(const auto shard, parse_shard(options.shard));
    if (ranks.alone()) return shard;
    if (shard.second > 1)
        return Error{
            "--shard and mpirun both divide the work: start each shard without mpirun, or leave --shard out"};
    return std::pair(static_cast<std::uint32_t>(ranks.rank() + 1), static_cast<std::uint32_t>(ranks.size()));
}

std::filesystem::file_time_type time_of(const std::filesystem::path& file) {
    std::error_code missing;
    const auto time = std::filesystem::last_write_time(file, missing);
    return missing ? std::filesystem::file_time_type::min() : time;
}

} // namespace

Result<std::pair<std::uint32_t, std::uint32_t>> parse_shard(const std::string& text) {
    std::pair<std::uint32_t, std::uint32_t> shard{1, 1};
    const auto* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, shard.first);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == '/') {
        const auto second = std::from_chars(first.ptr + 1, end, shard.second);
        if (second.ec == std::errc{} && second.ptr == end && shard.first >= 1 && shard.first <= shard.second)
            return shard;
    }
    return Error{"wants I/N with I from 1 to N, such as 2/4, not \"" + text + "\""};
}

void RunOptions::add_to(CLI::App& command) {
    command.add_option("--threads", threads, "threads (default: one a processor)")
        ->check(whole_number(0, 1024));
    command
        .add_option("--shard", shard,
                    "I/N: only the I-th of N shares of the work; `merge` joins the profiles")
        ->check(cli::shard())
        ->capture_default_str();
    command.add_flag("--resume", resume, "go on where an interrupted run with the same output stopped");
    command.add_flag("--quiet", quiet, "no progress");
}

Result<void> check_profile_output(const std::filesystem::path& output,
                                  const std::vector<std::filesystem::path>& inputs) {
    PERMAFROST_CHECK(check_output(output, inputs));
    return check_output(checkpoint_of(output), inputs);
}

Result<profile::RunResult> run_on_corpus(const formats::ModelFilePtr& file,
                                         const CorpusOptions& corpus_options, const RunOptions& options,
                                         const std::filesystem::path& output) {
    auto& ranks = Ranks::here();
    PERMAFROST_TRY(const auto shard, shard_of(options, ranks));
    if (options.resume && !output.empty()) PERMAFROST_CHECK(check_resumable(output));
    PERMAFROST_CHECK(model::read_model_config(*file));
    PERMAFROST_TRY(const auto tokenizer,
                   timed(options.times, model::Stage::Opening, [&] { return model::read_tokenizer(*file); }));
    PERMAFROST_TRY(const auto named, timed(options.times, model::Stage::Tokenising,
                                           [&] { return read_corpus(corpus_options, *tokenizer); }));

    profile::RunSettings settings;
    settings.context = corpus_options.context;
    settings.threads = options.threads == 0 ? ranks.threads() : options.threads;
    settings.shard = shard.first;
    settings.shards = shard.second;
    settings.resume = options.resume;
    settings.prompts = named.prompts;
    settings.corpus_source = named.source;
    settings.until_stable = options.until_stable;
    settings.timings = options.times != nullptr;
    if (!output.empty()) settings.checkpoint = checkpoint_of(output);

    std::optional<ProgressLine> line(std::in_place, options.quiet || !ranks.speaks());
    std::stop_source stop;
    const std::stop_callback when_interrupted(interruption(), [&stop] { stop.request_stop(); });
    profile::RunObserver observer;
    observer.progress = [&](const profile::RunProgress& progress) {
        if (ranks.must_stop()) stop.request_stop();
        line->show(ranks.sum(progress));
    };
    std::error_code missing;
    if (options.resume && !std::filesystem::exists(settings.checkpoint, missing))
        std::cerr << "note: there is no " << settings.checkpoint.string()
                  << " to resume from; the run begins from the start\n";
    const auto before = time_of(settings.checkpoint);
    auto result = profile::run_profile(file, named.corpus, settings, observer, stop.get_token());
    if (!ranks.alone())
        result = unite(std::move(result), settings.checkpoint,
                       [&line](const profile::RunProgress& progress) { line->show(progress); });
    line.reset(); // notes begin on a line of their own
    if (result.cancelled() && !output.empty())
        report_cancelled(settings.checkpoint, options.resume
                                                  ? std::filesystem::exists(settings.checkpoint, missing)
                                                  : time_of(settings.checkpoint) != before);
    if (result.ok() && ranks.speaks() && result->profile->info.stability &&
        !result->profile->info.stability->reached())
        std::cerr << "note: " << profile::sentence(*result->profile->info.stability)
                  << "; the whole text was used\n";
    if (result.ok() && ranks.alone()) report_empty(result->profile->info, options.shard);
    return result;
}

void remove_checkpoint(const std::filesystem::path& output) {
    std::error_code ignored;
    std::filesystem::remove(checkpoint_of(output), ignored);
}

void report_non_finite(const profile::ProfileInfo& info) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> named;
    for (const auto& place : info.non_finite)
        if (named.emplace(place.layer, place.neuron).second)
            std::cerr << "warning: layer " << place.layer << ", neuron " << place.neuron
                      << " is not finite (first in sequence " << place.sequence
                      << "); it is left out of the statistics\n";
}

} // namespace permafrost::cli
