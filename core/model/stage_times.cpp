// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/stage_times.h"

#include <numeric>

namespace permafrost::model {
namespace {

struct Words {
    std::string_view key, title;
};

constexpr std::array<Words, stage_count> words{{{"opening", "opening the model"},
                                                {"tokenising", "tokenising"},
                                                {"weights", "reading and decoding weights"},
                                                {"embedding", "embeddings"},
                                                {"norms", "norms and packing"},
                                                {"attention_products", "attention products"},
                                                {"attention_heads", "attention heads"},
                                                {"ffn_products", "FFN products"},
                                                {"statistics", "activations and statistics"},
                                                {"merging", "merging statistics"},
                                                {"stability", "comparing masks"},
                                                {"writing", "writing"},
                                                {"other", "other"},
                                                {"waiting", "waiting for other threads"},
                                                {"idle", "idle beside one thread"}}};

double in_seconds(StageTimes::Clock::duration time) { return std::chrono::duration<double>(time).count(); }

} // namespace

std::string_view stage_key(Stage stage) { return words[static_cast<std::size_t>(stage)].key; }
std::string_view stage_title(Stage stage) { return words[static_cast<std::size_t>(stage)].title; }

double StageSeconds::total() const { return std::accumulate(seconds_.begin(), seconds_.end(), 0.0); }

StageTimes::StageTimes(ThreadPool& pool) : pool_(pool), threads_(pool.threads()) { pool.measure_time(); }

void StageTimes::add(std::size_t thread, Stage stage, Clock::duration time) {
    threads_[thread].time[static_cast<std::size_t>(stage)] += time;
}

StageTimes::Section::Section(StageTimes* times, Stage stage) : times_(times), stage_(stage) {
    if (!times_) return;
    loops_ = times_->pool_.loop_time();
    busy_ = times_->pool_.busy_time();
    began_ = Clock::now();
}

StageTimes::Section::~Section() {
    if (!times_) return;
    const auto loops = times_->pool_.loop_time() - loops_;
    const auto alone = Clock::now() - began_ - loops;
    const auto together = times_->pool_.busy_time() - busy_;
    times_->alone_ += alone;
    times_->together_ += together;
    times_->sections_.time[static_cast<std::size_t>(stage_)] += alone + together;
}

StageSeconds StageTimes::seconds() const {
    const Clock::duration wall = Clock::now() - began_;
    const Clock::duration loops = pool_.loop_time(), busy = pool_.busy_time();
    StageSeconds seconds;
    Clock::duration in_stages{};
    for (std::size_t stage = 0; stage < stage_count; ++stage) {
        Clock::duration time{};
        for (const auto& thread : threads_) time += thread.time[stage];
        in_stages += time;
        seconds[static_cast<Stage>(stage)] = in_seconds(time + sections_.time[stage]);
    }
    const auto threads = static_cast<Clock::rep>(threads_.size());
    seconds[Stage::Other] += in_seconds((wall - loops - alone_) + (busy - together_ - in_stages));
    seconds[Stage::Waiting] += in_seconds(threads * loops - busy);
    seconds[Stage::Idle] += in_seconds((threads - 1) * (wall - loops));
    return seconds;
}

} // namespace permafrost::model
