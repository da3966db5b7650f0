// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <stop_token>
#include <thread>
#include <vector>

namespace permafrost {

/// A fixed set of threads that share the indices of one loop at a time. Between loops they look out for the next one for a moment before
/// they sleep, since waking takes longer than a small layer; those of the background, and more than there are processors, sleep at once.
class ThreadPool {
  public:
    /// `threads` = 0 means one a processor. The calling thread works too, so threads - 1 are started.
    /// With `background` the started threads run at a lower scheduling priority.
    explicit ThreadPool(std::size_t threads = 0, bool background = false);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    std::size_t threads() const { return workers_.size() + 1; }

    /// Calls work(index, thread) for index 0 … count-1, each once, on all threads; returns when all are done. After
    /// `stop` is requested no new index is begun; returns false then. `thread` is below threads().
    bool parallel_for(std::size_t count,
                      const std::function<void(std::size_t index, std::size_t thread)>& work,
                      const std::stop_token& stop = {});

    /// From now on the pool counts its time: two looks at the clock a thread and loop. Not while a loop runs.
    void measure_time() { measured_ = true; }
    std::chrono::nanoseconds loop_time() const { return loop_time_; } ///< of the callers of parallel_for()
    std::chrono::nanoseconds busy_time() const; ///< spent in indices, by all threads together

  private:
    friend class PinnedThreads;
    struct alignas(64) BusyTime {
        std::chrono::nanoseconds time{};
    };
    void serve(std::size_t thread);
    void take_indices(std::size_t thread);
    void take_indices_unmeasured(std::size_t thread);
    void wait_for_round_after(std::uint64_t seen);

    std::vector<BusyTime> busy_times_; ///< (thread)
    std::chrono::nanoseconds loop_time_{};
    bool measured_ = false;
    std::vector<std::jthread> workers_;
    bool looks_out_ = false;
    std::mutex mutex_;
    std::condition_variable begin_;
    std::condition_variable end_;
    const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;
    std::size_t count_ = 0;
    std::stop_token stop_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::size_t> busy_ = 0;
    std::atomic<std::uint64_t> round_ = 0; ///< what is above is of this one; changes under the mutex
    std::atomic<bool> shutting_down_ = false;
};

/// While it lives, each thread of a pool stays on a processor of its own (the calling thread too), as far as there are
/// so many: for measuring. Where the system does not allow it, nothing changes.
class PinnedThreads {
  public:
    explicit PinnedThreads(ThreadPool& pool);
    ~PinnedThreads();
    PinnedThreads(const PinnedThreads&) = delete;
    PinnedThreads& operator=(const PinnedThreads&) = delete;

  private:
    std::vector<pthread_t> threads_;
    cpu_set_t allowed_{}; ///< before
};

/// Lowers the calling thread's scheduling priority, so that a window stays fluent beside it.
void make_this_thread_background();

} // namespace permafrost
