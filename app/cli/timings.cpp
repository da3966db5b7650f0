// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/timings.h"

#include "core/tensor/machine_rates.h"

#include <array>
#include <cstdio>

namespace permafrost::cli {
namespace {

using model::Stage;

double measure_rate(std::size_t threads) {
    ThreadPool pool(threads);
    return tensor::measure_product_gflops(pool);
}

template <class... Values>
std::string line(const char* format, Values... values) {
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

} // namespace

MeasuredCommand::MeasuredCommand(std::size_t threads)
    : threads_(threads), rate_before_(measure_rate(threads)) {}

void MeasuredCommand::finish(const profile::RunResult& result) {
    wall_ = std::chrono::duration<double>(CommandTimes::Clock::now() - began_).count();
    threads_ = result.threads;
    operations_ = result.floating_point_operations;
    seconds_ = result.stages;
    const auto threads = static_cast<double>(threads_);
    const double outside = wall_ - seconds_.total() / threads; // of the run
    double named = 0;
    for (std::size_t i = 0; i < model::stage_count; ++i) {
        seconds_[Stage{i}] += times_.alone()[Stage{i}];
        named += times_.alone()[Stage{i}];
    }
    seconds_[Stage::Other] += outside - named;
    seconds_[Stage::Idle] += (threads - 1) * outside;
    rate_after_ = measure_rate(threads_);
}

nlohmann::ordered_json MeasuredCommand::json() const {
    nlohmann::ordered_json stages;
    for (std::size_t i = 0; i < model::stage_count; ++i)
        stages[std::string(model::stage_key(Stage{i}))] = seconds_[Stage{i}];
    return {{"threads", threads_},
            {"wall_seconds", wall_},
            {"thread_seconds", wall_ * static_cast<double>(threads_)},
            {"stages", std::move(stages)},
            {"gflops", gflops()},
            {"machine_gemm_gflops", machine()},
            {"share_of_gemm", gflops() / machine()}};
}

std::string MeasuredCommand::table() const {
    const double whole = wall_ * static_cast<double>(threads_);
    std::string text = line("Time of %zu thread%s x %.2f s, all threads together:\n", threads_,
                            threads_ == 1 ? "" : "s", wall_);
    for (std::size_t i = 0; i < model::stage_count; ++i) {
        const auto title = std::string(model::stage_title(Stage{i}));
        const double seconds = seconds_[Stage{i}];
        if (seconds == 0) continue;
        text += line("  %-30s %9.3f s %5.1f %%\n", title.c_str(), seconds, 100 * seconds / whole);
    }
    text += line("  %-30s %9.3f s\n", "total", whole);
    text += line(
        "Products: %.1f GFLOP/s over the whole time, %.0f %% of this machine's own rate of %.1f GFLOP/s\n",
        gflops(), 100 * gflops() / machine(), machine());
    return text;
}

} // namespace permafrost::cli
