// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/thread_pool.h"

#include <algorithm>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace permafrost {

void make_this_thread_background() {
    // On Linux a nice value belongs to the thread. Failing to lower it harms nothing.
    setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 10);
}

ThreadPool::ThreadPool(std::size_t threads, bool background) {
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
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
}

void ThreadPool::serve(std::size_t thread) {
    std::uint64_t seen = 0;
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            begin_.wait(lock, [&] { return shutting_down_ || round_ != seen; });
            if (shutting_down_) return;
            seen = round_;
        }
        take_indices(thread);
        {
            const std::scoped_lock lock(mutex_);
            if (--busy_ == 0) end_.notify_one();
        }
    }
}

void ThreadPool::take_indices(std::size_t thread) {
    for (;;) {
        std::size_t index = 0;
        {
            const std::scoped_lock lock(mutex_);
            if (next_ >= count_ || stop_.stop_requested()) return;
            index = next_++;
        }
        (*work_)(index, thread);
    }
}

bool ThreadPool::parallel_for(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work,
                              const std::stop_token& stop) {
    {
        const std::scoped_lock lock(mutex_);
        work_ = &work;
        next_ = 0;
        count_ = count;
        stop_ = stop;
        busy_ = workers_.size();
        ++round_;
    }
    begin_.notify_all();
    take_indices(0);
    std::unique_lock lock(mutex_);
    end_.wait(lock, [&] { return busy_ == 0; });
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
