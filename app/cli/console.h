// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/profile/run.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

namespace permafrost::cli {

/// Exit codes of every command.
inline constexpr int done = 0;
inline constexpr int request_failed = 1;
inline constexpr int wrong_usage = 2;
inline constexpr int was_cancelled = 130;

/// The stop token that Ctrl-C and SIGTERM request.
std::stop_token interruption();

/// Makes a reader that went away an error of the write, not the end of the program, and keeps the numbers of standard
/// streams that are closed from being given to files, which messages would then be written into.
void protect_streams();

/// A command's outcome: its action runs after the whole command line was understood.
struct Commands {
    CLI::App& app;
    std::function<Result<void>()> action; ///< set by the command that was called
    bool together = false;                ///< whether it shares its work among ranks
};

/// Whether the processes that mpirun started share a command's work.
enum class Sharing { Alone, Together };

/// Adds a subcommand whose action is `run`.
CLI::App* add_command(Commands& commands, const std::string& name, const std::string& description,
                      std::function<Result<void>()> run, Sharing sharing = Sharing::Alone);

/// The one JSON object of `--json`.
void print_json(const nlohmann::ordered_json& object);

/// Progress on stderr: a bar with rate and ETA on a terminal, a plain line now and then otherwise, nothing if quiet.
class ProgressLine {
  public:
    explicit ProgressLine(bool quiet);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const profile::RunProgress& progress);
    /// "measuring f32" and how much of it is done; the time left goes by what was done since the line was made.
    void show(const std::string& what, double share);

  private:
    bool quiet_;
    bool terminal_;
    bool drawn_ = false;
    double last_share_ = -1;
    double last_seconds_ = -1;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// "1 h 02 min", "3 min 05 s", "4 s"
std::string duration_text(double seconds);

} // namespace permafrost::cli
