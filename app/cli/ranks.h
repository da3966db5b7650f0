// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/profile/run.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace permafrost::cli {

/// The processes that `mpirun -n N` started together, each of which is a rank from 0 to N-1 and does one share of the work.
/// Rank 0 writes what comes of it, and it alone speaks: the others' standard output and std::cerr lead nowhere. A program that
/// was started in any other way is rank 0 of one, and MPI is not touched.
///
/// All ranks call agree() at the same places. When one fails in between, its own next agree(), the last one at the latest, tells
/// the others, and must_stop() tells them earlier. All calls come from the main thread.
class Ranks {
  public:
    static Ranks& here();

    /// Mutes all but rank 0; before anything is printed.
    static void mute_others();
    /// Meets the other ranks. `together`: whether the command shares its work. Errors: it does not, or this program was built
    /// without MPI.
    Result<void> join(bool together);

    int rank() const { return rank_; }
    int size() const { return size_; }
    bool alone() const { return size_ == 1; }
    bool speaks() const { return rank_ == 0; }
    /// Threads that give each rank of this node its share of the processors; 0 when alone: all.
    std::size_t threads() const { return threads_; }

    /// How far all ranks are together, as far as rank 0 knows; on other ranks, tells it to rank 0 now and then.
    profile::RunProgress sum(const profile::RunProgress& mine);
    /// Whether another rank failed or was cancelled.
    bool must_stop();

    /// Waits for all ranks; `mine` if all are well, else the failure that came first, the same everywhere. `waiting` is called
    /// on rank 0 now and then with the sum of the progress.
    using Waiting = std::function<void(const profile::RunProgress&)>;
    Result<void> agree(const Result<void>& mine, const Waiting& waiting = {});

    /// A tree over the ranks, in which results go from children to parents and end in rank 0.
    std::vector<int> children() const;
    int parent() const;
    void send(int to, const Result<std::string>& content);
    /// Errors: what the other rank sent in place of its content.
    Result<std::string> receive(int from);

    /// "rank 2 of 4"
    std::string name(int rank) const;

    /// The last call of a program that ends well. Without it, leave() ends the other ranks too.
    void finish();
    /// When nothing can be done any more: ends all ranks with this exit code.
    [[noreturn]] void leave(int exit_code);

  private:
    struct Share {
        std::uint64_t tokens_done = 0;
        std::uint64_t tokens_total = 0; ///< 0: not heard of yet
    };
    std::size_t processors_here() const;
    void take_progress();
    profile::RunProgress total(profile::RunProgress mine) const;
    void take_statuses();
    void tell_others(const Result<void>& verdict);
    Result<void> collect(const Result<void>& mine, const Waiting& waiting);
    void wait_a_moment();

    int rank_ = 0;
    int size_ = 1;
    std::size_t threads_ = 0;
    bool joined_ = false;
    Result<void> verdict_; ///< the last that all have agreed on

    // On rank 0, until all have agreed:
    std::vector<Share> progress_; ///< (rank)
    profile::RunProgress last_;   ///< of rank 0
    int heard_ = 0;               ///< ranks whose status has come
    bool told_ = false;           ///< the verdict is on its way to the others
    Result<void> failure_;        ///< the first of another rank

    std::chrono::steady_clock::time_point reported_{}, interrupted_{};
};

} // namespace permafrost::cli
