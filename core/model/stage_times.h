// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the threads of a run spend their time with. The stages of a run add up to its wall time x threads, to rounding.
#pragma once

#include "core/base/thread_pool.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

namespace permafrost::model {

enum class Stage : std::size_t {
    Opening,           ///< model file, its configuration and its tokenizer
    Tokenising,        ///< text into tokens and sequences
    Weights,           ///< reading and decoding
    Embedding,         ///< token embeddings into hidden states
    Norms,             ///< before attention and FFN, and packing what they give for the products
    AttentionProducts, ///< Q, K, V and output
    AttentionHeads,    ///< rotary embedding, scores, softmax, sums of values
    FfnProducts,       ///< gate, up and down
    Statistics,        ///< activation function and all statistics of it
    Merging,           ///< the threads' statistics into the run's, and what is derived from those
    Stability,         ///< whether the masks still change
    Writing,           ///< checkpoints, profile, exports
    Other,             ///< everything else that was done
    Waiting,           ///< in a shared loop, for threads that have more to do
    Idle,              ///< beside work that one thread does alone
};
inline constexpr std::size_t stage_count = static_cast<std::size_t>(Stage::Idle) + 1;

/// "ffn_products": the stage's name in JSON
std::string_view stage_key(Stage stage);
/// "FFN products": for people
std::string_view stage_title(Stage stage);

/// Seconds by stage, those of all threads added up.
class StageSeconds {
  public:
    double& operator[](Stage stage) { return seconds_[static_cast<std::size_t>(stage)]; }
    double operator[](Stage stage) const { return seconds_[static_cast<std::size_t>(stage)]; }
    double total() const;

  private:
    std::array<double, stage_count> seconds_{};
};

/// Counts from its construction on. The thread that owns the pool's loops calls everything but add(), which the loops call.
class StageTimes {
  public:
    using Clock = std::chrono::steady_clock;

    explicit StageTimes(ThreadPool& pool);

    /// Within a loop of the pool and outside of all sections: `thread` spent this with `stage`.
    void add(std::size_t thread, Stage stage, Clock::duration time);

    /// While it lives, all that happens is `stage`: the calling thread's own work and the loops that it starts. Sections do not
    /// nest. Does nothing without times.
    class Section {
      public:
        Section(StageTimes* times, Stage stage);
        ~Section();
        Section(const Section&) = delete;
        Section& operator=(const Section&) = delete;

      private:
        StageTimes* times_;
        Stage stage_;
        Clock::time_point began_;
        std::chrono::nanoseconds loops_{}, busy_{};
    };

    /// Until now.
    StageSeconds seconds() const;

  private:
    struct alignas(64) OfThread {
        std::array<Clock::duration, stage_count> time{};
    };
    ThreadPool& pool_;
    std::vector<OfThread> threads_;
    OfThread sections_;
    Clock::duration alone_{};    ///< in sections, outside of loops
    Clock::duration together_{}; ///< in loops of sections, all threads
    Clock::time_point began_ = Clock::now();
};

/// Gives a thread's time to one stage after another. Does nothing without times.
class StageTimer {
  public:
    StageTimer() = default;
    StageTimer(StageTimes* times, std::size_t thread) : times_(times), thread_(thread) {
        if (times_) last_ = StageTimes::Clock::now();
    }
    /// What happened since the last call was `stage`.
    void end(Stage stage) {
        if (!times_) return;
        const auto now = StageTimes::Clock::now();
        times_->add(thread_, stage, now - last_);
        last_ = now;
    }

  private:
    StageTimes* times_ = nullptr;
    std::size_t thread_ = 0;
    StageTimes::Clock::time_point last_;
};

} // namespace permafrost::model
