// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/ranks.h"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace permafrost;

// `profile-saturation-bitmasks …` is the same as `permafrost-cli profile-saturation-bitmasks …`.
std::vector<std::string> arguments(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    const auto name = std::filesystem::path(argv[0]).filename().string();
    if (name == "profile-saturation-bitmasks" || name == "profile-phi3-saturation")
        words.insert(words.begin(), name);
    return {words.rbegin(), words.rend()}; // CLI11 takes them last first
}

// What was printed may still be on its way to a disk that is full or to a reader that went away.
int finish_printing() {
    const bool printed = std::cout.flush().good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (printed) return cli::done;
    std::cerr << "permafrost-cli: cannot write to the standard output: it was closed or its disk is full\n";
    return cli::request_failed;
}

Result<void> run_on_ranks(const cli::Commands& commands) {
    auto& ranks = cli::Ranks::here();
    auto result = ranks.join(commands.together);
    if (result.ok()) result = ranks.agree(commands.action());
    ranks.finish();
    return result;
}

int report(const Result<void>& result) {
    if (result.ok()) return finish_printing();
    if (result.cancelled()) {
        std::cerr << "cancelled\n";
        return cli::was_cancelled;
    }
    std::cerr << "permafrost-cli: " << result.message() << "\n";
    return cli::request_failed;
}

int run(int argc, char** argv) {
    cli::protect_streams();
    cli::interruption();
    cli::Ranks::mute_others();
    CLI::App app{
        "Permafrost: finds frozen feed-forward neurons of language models, and what skipping them is worth",
        "permafrost-cli"};
    app.set_version_flag("--version", "permafrost-cli " PERMAFROST_VERSION);
    app.require_subcommand(1);
    app.get_formatter()->column_width(40);

    cli::Commands commands{app, {}};
    cli::add_profile_command(commands);
    cli::add_mask_command(commands);
    cli::add_inspect_command(commands);
    cli::add_convert_command(commands);
    cli::add_merge_command(commands);
    cli::add_encode_commands(commands);
    cli::add_prune_command(commands);
    cli::add_kit_command(commands);
    cli::add_eval_command(commands);
    cli::add_sweep_command(commands);
    cli::add_plan_command(commands);
    cli::add_bench_command(commands);
    cli::add_seed_commands(commands);

    auto words = arguments(argc, argv);
    const auto called = [&](const CLI::App* command) { return command->get_name() == words.back(); };
    if (!words.empty() && !words.back().starts_with('-') && app.get_subcommands(called).empty()) {
        std::cerr << "permafrost-cli: there is no command \"" << words.back()
                  << "\"; --help lists those there are\n";
        return cli::wrong_usage;
    }
    try {
        app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? finish_printing() : cli::wrong_usage;
    }
    return report(run_on_ranks(commands));
}

} // namespace

int main(int argc, char** argv) {
    // Not std::cerr, which is mute on most ranks.
    const auto give_up = [](const char* why) {
        std::fprintf(stderr, "permafrost-cli: %s\n", why);
        auto& ranks = cli::Ranks::here();
        if (!ranks.alone()) ranks.leave(cli::request_failed);
        return cli::request_failed;
    };
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        return give_up("out of memory; try a shorter --context or fewer --threads");
    } catch (const std::exception& error) {
        return give_up(error.what());
    }
}
