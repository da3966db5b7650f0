// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ranks.h"

#include "app/cli/console.h"
#include "app/cli/launcher.h"
#include "app/cli/mpi_messages.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <sched.h>
#include <thread>
#include <unistd.h>

namespace permafrost::cli {
namespace {

using Clock = std::chrono::steady_clock;

enum Kind : int { progress_kind = 1, status_kind, verdict_kind, content_kind };

// A verdict must go without waiting for its receiver, as short messages do.
constexpr std::size_t longest_message = 2000;

// Results as messages: a letter, then the error's words or the content.
std::string status_text(const Result<void>& status) {
    if (status.ok()) return "+";
    return status.cancelled() ? "c" : "!" + status.message().substr(0, longest_message);
}

Result<std::string> result_of(std::string text) {
    if (text.starts_with('+')) return text.substr(1);
    if (text.starts_with('!')) return Error{text.substr(1)};
    return Cancelled{};
}

Result<void> status_of(std::string text) {
    PERMAFROST_CHECK(result_of(std::move(text)));
    return {};
}

} // namespace

Ranks& Ranks::here() {
    static Ranks ranks;
    return ranks;
}

void Ranks::mute_others() {
    if (read_launch().rank == 0) return;
    std::cerr.rdbuf(nullptr);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
}

Result<void> Ranks::join(bool together) {
    const auto launch = read_launch();
    if (launch.size == 1) return {};
    if (!together)
        return Error{"this command works in one process, and mpirun started " + std::to_string(launch.size) +
                     "; start it without mpirun"};
    if (!mpi::available)
        return Error{
            "mpirun started " + std::to_string(launch.size) +
            " processes, and this permafrost-cli was built without MPI, so that each would do all the work; "
            "build it where MPI is found (-DPERMAFROST_MPI=ON), or use --shard I/N and merge"};
    mpi::start();
    joined_ = true;
    rank_ = mpi::rank();
    size_ = mpi::size();
    if (size_ != launch.size)
        return Error{"mpirun started " + std::to_string(launch.size) + " processes, of which MPI knows " +
                     std::to_string(size_) +
                     ": it is of another MPI than the one permafrost-cli was built with"};
    threads_ = processors_here();
    progress_.resize(static_cast<std::size_t>(size_));
    return {};
}

// Launchers may bind each rank to processors of its own, or let several share some.
std::size_t Ranks::processors_here() const {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0) return 1;
    int sharing = 0;
    for (const auto& message : mpi::exchange_on_node({reinterpret_cast<const char*>(&mine), sizeof mine})) {
        cpu_set_t other, common;
        std::memcpy(&other, message.data(), sizeof other);
        CPU_AND(&common, &mine, &other);
        if (CPU_COUNT(&common) > 0) ++sharing;
    }
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&mine) / std::max(1, sharing)));
}

profile::RunProgress Ranks::total(profile::RunProgress mine) const {
    mine.tokens_done = mine.tokens_total = 0;
    for (const auto& share : progress_) {
        mine.tokens_done += share.tokens_done;
        mine.tokens_total += share.tokens_total == 0 ? progress_[0].tokens_total : share.tokens_total;
    }
    if (mine.tokens_total == 0) return mine;
    mine.share = static_cast<double>(mine.tokens_done) / static_cast<double>(mine.tokens_total);
    mine.tokens_per_second = static_cast<double>(mine.tokens_done) / std::max(mine.elapsed.count(), 1e-9);
    mine.remaining = mine.elapsed * ((1 - mine.share) / std::max(mine.share, 1e-9));
    return mine;
}

void Ranks::take_progress() {
    while (const auto message = mpi::take(-1, progress_kind))
        if (message->second.size() == sizeof(Share))
            std::memcpy(&progress_[static_cast<std::size_t>(message->first)], message->second.data(),
                        sizeof(Share));
}

profile::RunProgress Ranks::sum(const profile::RunProgress& mine) {
    if (alone()) return mine;
    const Share share{mine.tokens_done, mine.tokens_total};
    if (speaks()) {
        take_progress();
        progress_[0] = share;
        last_ = mine;
        return total(mine);
    }
    constexpr std::chrono::milliseconds between(200);
    const auto now = Clock::now();
    if (now - reported_ >= between || mine.share >= 1) {
        mpi::send(0, progress_kind, {reinterpret_cast<const char*>(&share), sizeof share});
        reported_ = now;
    }
    return mine;
}

bool Ranks::must_stop() {
    if (alone()) return false;
    if (!speaks()) return mpi::has_come(0, verdict_kind);
    take_statuses();
    return told_;
}

void Ranks::tell_others(const Result<void>& verdict) {
    for (int rank = 1; rank < size_; ++rank) mpi::send(rank, verdict_kind, status_text(verdict));
    told_ = true;
}

// A failure is passed on at once, so that the others need not finish what nobody will use.
void Ranks::take_statuses() {
    while (auto message = mpi::take(-1, status_kind)) {
        ++heard_;
        const auto status = status_of(std::move(message->second));
        if (status.ok() || told_) continue;
        failure_ =
            status.cancelled() ? status : Result<void>(Error{name(message->first) + ": " + status.message()});
        tell_others(failure_);
    }
}

Result<void> Ranks::collect(const Result<void>& mine, const Waiting& waiting) {
    if (!mine.ok() && !told_) tell_others(mine);
    const auto since = Clock::now();
    while (heard_ + 1 < size_) {
        take_statuses();
        take_progress();
        if (waiting && mine.ok() && !told_) {
            auto now = last_;
            now.elapsed += Clock::now() - since;
            waiting(total(now));
        }
        wait_a_moment();
    }
    if (!told_) tell_others(mine);
    heard_ = 0;
    told_ = false;
    // What rank 0 met itself is likely what all have met, and needs no other rank's name.
    return mine.ok() || (mine.cancelled() && !failure_.ok()) ? failure_ : mine;
}

Result<void> Ranks::agree(const Result<void>& mine, const Waiting& waiting) {
    if (alone()) return mine;
    if (!verdict_.ok()) return verdict_;
    if (speaks()) {
        verdict_ = collect(mine, waiting);
        return verdict_;
    }
    mpi::send(0, status_kind, status_text(mine));
    auto message = mpi::take(0, verdict_kind);
    for (; !message; message = mpi::take(0, verdict_kind)) wait_a_moment();
    verdict_ = status_of(std::move(message->second));
    return verdict_;
}

// MPI's own waiting would keep a processor busy that another rank could use. One that was interrupted waits for the others no
// longer than they may need to stop.
void Ranks::wait_a_moment() {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (!interruption().stop_requested()) return;
    if (interrupted_ == Clock::time_point{}) interrupted_ = Clock::now();
    if (Clock::now() - interrupted_ > std::chrono::seconds(20)) leave(was_cancelled);
}

std::vector<int> Ranks::children() const {
    std::vector<int> found;
    for (int step = 1; rank_ % (2 * step) == 0 && rank_ + step < size_; step *= 2)
        found.push_back(rank_ + step);
    return found;
}

int Ranks::parent() const { return rank_ & (rank_ - 1); }

void Ranks::send(int to, const Result<std::string>& content) {
    if (content.ok())
        mpi::send(to, content_kind, "+" + content.value());
    else
        mpi::send(to, content_kind, status_text(content.failure()));
}

Result<std::string> Ranks::receive(int from) {
    auto message = mpi::take(from, content_kind);
    for (; !message; message = mpi::take(from, content_kind)) wait_a_moment();
    return result_of(std::move(message->second));
}

std::string Ranks::name(int rank) const {
    return "rank " + std::to_string(rank) + " of " + std::to_string(size_);
}

void Ranks::finish() {
    if (joined_) mpi::finish();
    joined_ = false;
}

void Ranks::leave(int exit_code) {
    if (joined_) mpi::abort(exit_code);
    std::_Exit(exit_code);
}

} // namespace permafrost::cli
