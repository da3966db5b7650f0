// SPDX-License-Identifier: GPL-3.0-or-later
//
// A run: the corpus goes through the model in waves of tiles; see the design of the forward pass in model/.
#pragma once

#include "core/base/result.h"
#include "core/formats/model_file.h"
#include "core/model/stage_times.h"
#include "core/profile/profile.h"
#include "core/text/corpus.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>

namespace permafrost::profile {

/// When a run ends before its text does.
struct UntilStable {
    CompareHalves compare;
    StabilityGoal goal;
    std::string rule; ///< what `compare` freezes by, for people
};

struct RunSettings {
    std::uint32_t context = 512;
    std::size_t threads = 0;          ///< 0: one a processor
    bool background = false;          ///< lower scheduling priority, for use beside a window
    std::uint32_t wave_tokens = 4096; ///< hidden states kept at a time; does not change any result
    std::uint32_t shard = 1; ///< of shards, counted from 1: works on tiles shard-1, shard-1+shards, …
    std::uint32_t shards = 1;
    std::filesystem::path checkpoint; ///< written between waves and when cancelled, if not empty
    bool resume = false;              ///< continue from the checkpoint if it fits
    /// Between two waves a checkpoint is written when writing one takes at most this share of the time since the last, and in any
    /// case after the interval: those of quick models would cost more than the waves between them.
    double checkpoint_share = 0.05;
    std::chrono::duration<double> checkpoint_interval{5.0};
    std::uint64_t prompts = 0; ///< for ProfileInfo::prompts
    std::string corpus_source;
    /// After each wave the masks of two halves of the text are compared; the run ends when they are stable. Its pieces are then
    /// taken in spread_order(), and the profile is that of a run over the sequences used, in their order in the text. Not for shards.
    std::optional<UntilStable> until_stable;
    bool timings = false; ///< fills RunResult::stages
};

/// What a run tells while it works.
struct RunProgress {
    double share = 0;              ///< of the work, 0 … 1
    std::uint64_t tokens_done = 0; ///< token-layers done / layers
    std::uint64_t tokens_total = 0;
    double tokens_per_second = 0; ///< since the run began
    std::chrono::duration<double> elapsed{};
    std::chrono::duration<double> remaining{};
    std::uint32_t wave = 0; ///< from 0
    std::uint32_t waves = 0;
    std::uint32_t layer = 0; ///< just finished
};

/// The outside's view of a run; all are called from the run's own thread and must return quickly.
struct RunObserver {
    std::function<void(const RunProgress&)> progress; ///< after each layer of each wave
    /// After each layer of each wave: the newest statistics of everything so far, immutable.
    std::function<void(ProfilePtr)> snapshot;
    /// Asked between waves; the run waits while it returns true (pause). Not called when empty.
    std::function<bool()> paused;
};

/// Bytes by purpose. total() and the file pages mapped at the highest moment add up to `peak_rss`.
struct MemoryAccount {
    std::uint64_t before_run = 0; ///< in use when the run began: program, model header, tokenizer, token ids
    std::uint64_t layer_weights = 0; ///< one decoded layer, f32
    std::uint64_t wave_states = 0;   ///< hidden states of one wave
    std::uint64_t scratch = 0;       ///< per-thread working memory
    std::uint64_t statistics = 0;    ///< sums and counts of all layers, and the values derived from them
    std::uint64_t file_pages = 0;    ///< pages of mapped files at the end; the system may drop them
    std::uint64_t peak_rss = 0;      ///< what the system counted for the process at its highest

    std::uint64_t total() const { return before_run + layer_weights + wave_states + scratch + statistics; }
};

struct RunResult {
    ProfilePtr profile;
    std::uint64_t tokens = 0; ///< processed in this run
    double seconds = 0;
    std::size_t threads = 0;
    double floating_point_operations = 0; ///< in matrix products
    MemoryAccount memory;
    model::StageSeconds stages; ///< of the whole call, if asked for; add up to its wall time x threads
};

/// Runs the model over the corpus. Errors: unsupported model, context longer than a u16 position allows, a checkpoint of
/// another run, a shard that shall run until stable. Cancelled soon after `stop`; then the checkpoint holds all waves that were finished.
Result<RunResult> run_profile(const formats::ModelFilePtr& file, const text::Corpus& corpus,
                              const RunSettings& settings, const RunObserver& observer = {},
                              const std::stop_token& stop = {});

} // namespace permafrost::profile
