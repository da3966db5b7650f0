// SPDX-License-Identifier: GPL-3.0-or-later
//
// `profile --timings`: what a whole command spent its time with, beside the machine's own product rate.
#pragma once

#include "core/model/stage_times.h"
#include "core/profile/run.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>

namespace permafrost::cli {

/// What one thread does alone, before and after a run.
class CommandTimes {
  public:
    using Clock = std::chrono::steady_clock;
    void add(model::Stage stage, Clock::duration time) {
        alone_[stage] += std::chrono::duration<double>(time).count();
    }
    const model::StageSeconds& alone() const { return alone_; }

  private:
    model::StageSeconds alone_;
};

/// Does `work` and counts its time, if there are `times`.
template <class Work>
auto timed(CommandTimes* times, model::Stage stage, Work work) {
    if (!times) return work();
    const auto began = CommandTimes::Clock::now();
    auto result = work();
    times->add(stage, CommandTimes::Clock::now() - began);
    return result;
}

/// A command from the construction of this to finish(). The machine's rate is measured before and after, not within, since
/// other programs come and go on a shared machine.
class MeasuredCommand {
  public:
    /// `threads` as for a run: 0 means one a processor.
    explicit MeasuredCommand(std::size_t threads);

    CommandTimes& times() { return times_; }
    void finish(const profile::RunResult& result);

    /// {"threads", "wall_seconds", "thread_seconds", "stages": {name: seconds}, "gflops", "machine_gemm_gflops",
    ///  "share_of_gemm"}; the stages add up to thread_seconds = threads * wall_seconds.
    nlohmann::ordered_json json() const;
    std::string table() const;

  private:
    double gflops() const { return operations_ / wall_ / 1e9; }
    double machine() const { return (rate_before_ + rate_after_) / 2; }

    std::size_t threads_;
    double rate_before_, rate_after_ = 0;
    CommandTimes times_;
    model::StageSeconds seconds_; ///< of all threads together
    double wall_ = 0, operations_ = 0;
    CommandTimes::Clock::time_point began_ = CommandTimes::Clock::now();
};

} // namespace permafrost::cli
