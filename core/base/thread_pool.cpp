// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace permafrost {

void make_this_thread_background() {
    // On Linux a nice value belongs to the thread. Failing to lower it harms nothing.
    setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 10);
}

namespace {

using Clock = std::chrono::steady_clock;
/// A few times what the system takes to wake a thread.
constexpr std::chrono::microseconds look_out_time{100};

void relax_processor() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// True when `happened` did within look_out_time.
template <typename Condition>
bool look_out_for(const Condition& happened) {
    const auto until = Clock::now() + look_out_time;
    do {
        for (int i = 0; i < 32; ++i) {
            if (happened()) return true;
            relax_processor();
        }
    } while (Clock::now() < until);
    return false;
}

} // namespace

ThreadPool::ThreadPool(std::size_t threads, bool background) {
    const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
    if (threads == 0) threads = processors;
    looks_out_ = !background && threads <= processors;
    busy_times_.resize(threads);
    workers_.reserve(threads - 1);
    for (std::size_t thread = 1; thread < threads; ++thread)
        workers_.emplace_back([this, thread, background] {
            if (background) make_this_thread_background();
            serve(thread);
        });
}

ThreadPool::~ThreadPool() {
    {
        const std::scoped_lock lock(mutex_);
        shutting_down_ = true;
    }
    begin_.notify_all();
    workers_.clear(); // joined before what they use goes
}

void ThreadPool::wait_for_round_after(std::uint64_t seen) {
    const auto has_begun = [&] { return round_ != seen || shutting_down_; };
    if (looks_out_ && look_out_for(has_begun)) return;
    std::unique_lock lock(mutex_);
    begin_.wait(lock, has_begun);
}

void ThreadPool::serve(std::size_t thread) {
    for (std::uint64_t seen = 0;; ++seen) {
        wait_for_round_after(seen);
        if (shutting_down_) return;
        take_indices(thread);
        if (--busy_ != 0) continue;
        const std::scoped_lock lock(mutex_); // so that the caller is either asleep or has not looked yet
        end_.notify_one();
    }
}

void ThreadPool::take_indices(std::size_t thread) {
    if (!measured_) return take_indices_unmeasured(thread);
    const auto began = Clock::now();
    take_indices_unmeasured(thread);
    busy_times_[thread].time += Clock::now() - began;
}

std::chrono::nanoseconds ThreadPool::busy_time() const {
    std::chrono::nanoseconds total{};
    for (const auto& busy : busy_times_) total += busy.time;
    return total;
}

void ThreadPool::take_indices_unmeasured(std::size_t thread) {
    while (!stop_.stop_requested()) {
        const auto index = next_++;
        if (index >= count_) return;
        (*work_)(index, thread);
    }
}

bool ThreadPool::parallel_for(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work,
                              const std::stop_token& stop) {
    const auto began = measured_ ? Clock::now() : Clock::time_point();
    {
        const std::scoped_lock lock(mutex_);
        work_ = &work;
        count_ = count;
        stop_ = stop;
        next_ = 0;
        busy_ = workers_.size();
        ++round_;
    }
    begin_.notify_all();
    take_indices(0);
    const auto all_done = [&] { return busy_ == 0; };
    if (!looks_out_ || !look_out_for(all_done)) {
        std::unique_lock lock(mutex_);
        end_.wait(lock, all_done);
    }
    if (measured_) loop_time_ += Clock::now() - began;
    return next_ >= count_ && !stop.stop_requested();
}

PinnedThreads::PinnedThreads(ThreadPool& pool) {
    if (pthread_getaffinity_np(pthread_self(), sizeof allowed_, &allowed_) != 0) return;
    std::vector<int> processors;
    for (int i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &allowed_)) processors.push_back(i);
    if (pool.threads() > processors.size()) return;
    threads_.push_back(pthread_self());
    for (auto& worker : pool.workers_) threads_.push_back(worker.native_handle());
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(processors[i], &one);
        pthread_setaffinity_np(threads_[i], sizeof one, &one);
    }
}

PinnedThreads::~PinnedThreads() {
    for (const auto thread : threads_) pthread_setaffinity_np(thread, sizeof allowed_, &allowed_);
}

} // namespace permafrost
