// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile_run.h"

#include "app/cli/console.h"
#include "core/model/model_config.h"

#include <charconv>
#include <iostream>
#include <set>
#include <unistd.h>

namespace permafrost::cli {
namespace {

std::filesystem::path checkpoint_of(const std::filesystem::path& output) {
    return output.string() + ".resume";
}

Result<std::pair<std::uint32_t, std::uint32_t>> parse_shard(const std::string& text) {
    std::pair<std::uint32_t, std::uint32_t> shard{1, 1};
    if (text.empty()) return shard;
    const auto* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, shard.first);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == '/') {
        const auto second = std::from_chars(first.ptr + 1, end, shard.second);
        if (second.ec == std::errc{} && second.ptr == end && shard.first >= 1 && shard.first <= shard.second)
            return shard;
    }
    return Error{"--shard wants I/N with I from 1 to N, not \"" + text + "\""};
}

} // namespace

void RunOptions::add_to(CLI::App& command) {
    command.add_option("--threads", threads, "threads (default: one a processor)")
        ->check(CLI::Range(0, 1024));
    command.add_option("--shard", shard,
                       "I/N: only the I-th of N shares of the work; `merge` joins the profiles");
    command.add_flag("--resume", resume, "go on where an interrupted run with the same output stopped");
    command.add_flag("--quiet", quiet, "no progress");
}

Result<void> check_output_folder(const std::filesystem::path& output) {
    const auto folder = output.has_parent_path() ? output.parent_path() : std::filesystem::path(".");
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
        return Error{"cannot write " + output.string() + ": the folder " + folder.string() +
                     " does not exist; create it first"};
    if (access(folder.c_str(), W_OK) != 0)
        return Error{"cannot write " + output.string() + ": the folder " + folder.string() +
                     " is not writable; choose another"};
    if (std::filesystem::is_directory(output, error))
        return Error{"cannot write " + output.string() + ": it is a folder; name a file"};
    return {};
}

Result<profile::RunResult> run_on_corpus(const formats::ModelFilePtr& file,
                                         const CorpusOptions& corpus_options, const RunOptions& options,
                                         const std::filesystem::path& output) {
    PERMAFROST_TRY(const auto shard, parse_shard(options.shard));
    PERMAFROST_CHECK(model::read_model_config(*file));
    PERMAFROST_TRY(const auto tokenizer, model::read_tokenizer(*file));
    PERMAFROST_TRY(const auto named, read_corpus(corpus_options, *tokenizer));

    profile::RunSettings settings;
    settings.context = corpus_options.context;
    settings.threads = options.threads;
    settings.shard = shard.first;
    settings.shards = shard.second;
    settings.resume = options.resume;
    settings.prompts = named.prompts;
    settings.corpus_source = named.source;
    if (!output.empty()) settings.checkpoint = checkpoint_of(output);

    ProgressLine line(options.quiet);
    profile::RunObserver observer;
    observer.progress = [&](const profile::RunProgress& progress) { line.show(progress); };
    return profile::run_profile(file, named.corpus, settings, observer, interruption());
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
