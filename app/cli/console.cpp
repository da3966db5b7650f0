// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace permafrost::cli {
namespace {

// Signals are taken by a thread of their own, since a stop source must not be touched in a signal handler.
std::stop_source start_listening() {
    std::stop_source source;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([source, signals]() mutable {
        int number = 0;
        sigwait(&signals, &number);
        source.request_stop();
        // A second one ends the program the usual way.
        pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
        sigwait(&signals, &number);
        std::_Exit(was_cancelled);
    }).detach();
    return source;
}

} // namespace

std::stop_token interruption() {
    static const std::stop_source source = start_listening();
    return source.get_token();
}

void protect_streams() {
    std::signal(SIGPIPE, SIG_IGN);
    // Lowest first, since open() gives the lowest free number. Writing to a closed stdout has to fail still.
    for (const auto& [stream, mode] : {std::pair{STDIN_FILENO, O_RDONLY}, std::pair{STDOUT_FILENO, O_RDONLY},
                                       std::pair{STDERR_FILENO, O_WRONLY}})
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF && open("/dev/null", mode) < 0)
            std::_Exit(request_failed);
}

CLI::App* add_command(Commands& commands, const std::string& name, const std::string& description,
                      std::function<Result<void>()> run, Sharing sharing) {
    auto* command = commands.app.add_subcommand(name, description);
    command->callback([&commands, run = std::move(run), sharing] {
        commands.action = run;
        commands.together = sharing == Sharing::Together;
    });
    return command;
}

void print_json(const nlohmann::ordered_json& object) {
    std::cout << object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
}

std::string duration_text(double seconds) {
    std::array<char, 64> text{};
    const auto whole = static_cast<long long>(std::llround(std::max(0.0, seconds)));
    if (whole >= 3600)
        std::snprintf(text.data(), text.size(), "%lld h %02lld min", whole / 3600, whole % 3600 / 60);
    else if (whole >= 60)
        std::snprintf(text.data(), text.size(), "%lld min %02lld s", whole / 60, whole % 60);
    else
        std::snprintf(text.data(), text.size(), "%lld s", whole);
    return text.data();
}

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    if (drawn_) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const profile::RunProgress& progress) {
    if (quiet_) return;
    const double elapsed = progress.elapsed.count();
    const auto left = duration_text(progress.remaining.count());
    if (terminal_) {
        if (elapsed - last_seconds_ < 0.1 && progress.share < 1) return;
        constexpr int width = 30;
        const int filled = static_cast<int>(progress.share * width);
        std::fprintf(stderr, "\r\033[K[%s%s] %3.0f %%  %.0f tokens/s  wave %u/%u layer %u  %s left",
                     std::string(static_cast<std::size_t>(filled), '#').c_str(),
                     std::string(static_cast<std::size_t>(width - filled), '.').c_str(), 100 * progress.share,
                     progress.tokens_per_second, progress.wave + 1, progress.waves, progress.layer,
                     left.c_str());
        std::fflush(stderr);
        drawn_ = true;
        last_seconds_ = elapsed;
    } else if (progress.share - last_share_ >= 0.1 || (progress.share >= 1 && last_share_ < 1)) {
        std::fprintf(stderr, "%3.0f %%  %llu of %llu tokens  %.0f tokens/s  %s left\n", 100 * progress.share,
                     static_cast<unsigned long long>(progress.tokens_done),
                     static_cast<unsigned long long>(progress.tokens_total), progress.tokens_per_second,
                     left.c_str());
        last_share_ = progress.share;
    }
}

void ProgressLine::show(const std::string& what, double share) {
    if (quiet_) return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
    const auto left =
        share > 0 ? duration_text(elapsed.count() * (1 - share) / share) + " left" : std::string();
    if (terminal_) {
        if (elapsed.count() - last_seconds_ < 0.1 && share < 1) return;
        std::fprintf(stderr, "\r\033[K%s %3.0f %%  %s", what.c_str(), 100 * share, left.c_str());
        std::fflush(stderr);
        drawn_ = true;
        last_seconds_ = elapsed.count();
    } else if (share - last_share_ >= 0.1 || (share >= 1 && last_share_ < 1)) {
        std::fprintf(stderr, "%s %3.0f %%  %s\n", what.c_str(), 100 * share, left.c_str());
        last_share_ = share;
    }
}

} // namespace permafrost::cli
