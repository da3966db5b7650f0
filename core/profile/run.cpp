// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/run.h"

#include "core/base/process_memory.h"
#include "core/model/forward.h"
#include "core/profile/accumulate.h"
#include "core/profile/lent_layers.h"
#include "core/profile/profile_file.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <thread>

namespace permafrost::profile {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Counts by tile are 16 bits wide.
constexpr std::uint32_t longest_context = 65535;

struct Wave {
    std::vector<model::Tile> tiles;
};

/// The tiles in the order in which they are worked on.
std::vector<std::uint32_t> order_of_tiles(std::size_t tiles, const RunSettings& settings) {
    const auto count = static_cast<std::uint32_t>(tiles);
    if (settings.until_stable) return spread_order(count);
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

std::vector<Wave> cut_waves(const std::vector<model::Tile>& tiles, const std::vector<std::uint32_t>& order,
                            const RunSettings& settings, const std::vector<bool>& done) {
    std::vector<Wave> waves;
    std::uint64_t rows = 0;
    for (const auto index : order) {
        const auto& tile = tiles[index];
        if (done[tile.index] || tile.index % settings.shards != settings.shard - 1) continue;
        if (waves.empty() || rows + tile.rows > settings.wave_tokens) {
            waves.emplace_back();
            rows = 0;
        }
        waves.back().tiles.push_back(tile);
        rows += tile.rows;
    }
    return waves;
}

Result<void> check(const text::Corpus& corpus, const RunSettings& settings) {
    if (settings.context < 2 || settings.context > longest_context)
        return Error{"the context must be between 2 and " + std::to_string(longest_context) +
                     " tokens, not " + std::to_string(settings.context)};
    if (settings.shards == 0 || settings.shard == 0 || settings.shard > settings.shards)
        return Error{"shard " + std::to_string(settings.shard) + "/" + std::to_string(settings.shards) +
                     " does not exist: shards are numbered from 1 to their count"};
    if (settings.until_stable && settings.shards != 1)
        return Error{"a shard cannot run until stable: when to stop shows only in the statistics of all "
                     "shards together; "
                     "run the text in one piece, or all of it in shards"};
    if (settings.until_stable && settings.until_stable->goal.waves == 0)
        return Error{"masks must agree for at least one wave to count as stable"};
    if (corpus.tokens == 0) return Error{"there are no tokens to profile"};
    if (corpus.tokens > std::numeric_limits<std::uint32_t>::max())
        return Error{"a profile holds at most 4294967295 tokens; this text has " +
                     std::to_string(corpus.tokens)};
    for (const auto& sequence : corpus.sequences)
        if (sequence.tokens.size() > settings.context)
            return Error{"a sequence is longer than the context of " + std::to_string(settings.context) +
                         " tokens"};
    return {};
}

ProfileInfo describe(const model::ModelConfig& config, const formats::ModelFile& file,
                     const text::Corpus& corpus, const RunSettings& settings, std::size_t tiles) {
    ProfileInfo info;
    info.model_name = config.name;
    info.architecture = config.architecture;
    info.model_sha256 = file.header_sha256();
    info.corpus_sha256 = corpus.sha256;
    info.corpus_source = settings.corpus_source;
    info.corpus_sketch = text::sketch_of(corpus);
    info.layers = config.layers;
    info.hidden = config.hidden;
    info.intermediate = config.intermediate;
    info.context = settings.context;
    info.sequences = corpus.sequences.size();
    info.prompts = settings.prompts == 0 ? corpus.sequences.size() : settings.prompts;
    info.tokens = corpus.tokens;
    for (const auto& sequence : corpus.sequences)
        info.domain_tokens[corpus.domains[sequence.domain]] += sequence.tokens.size();
    info.ffn_weight_share = config.weight_bytes == 0 ? 0
                                                     : static_cast<double>(config.ffn_weight_bytes) /
                                                           static_cast<double>(config.weight_bytes);
    info.shard = settings.shard;
    info.shards = settings.shards;
    info.tiles = static_cast<std::uint32_t>(tiles);
    info.tiles_done.assign(tiles, false);
    info.tool_version = PERMAFROST_VERSION;
    return info;
}

struct LaterPlace {
    bool operator()(const NonFinite& a, const NonFinite& b) const {
        return std::tie(a.sequence, a.layer, a.neuron) < std::tie(b.sequence, b.layer, b.neuron);
    }
};

/// One run's state between its first wave and its result.
class Run {
  public:
    Run(const formats::ModelFilePtr& file, model::ModelConfig config, const text::Corpus& corpus,
        const RunSettings& settings, const RunObserver& observer, const std::stop_token& stop)
        : corpus_(corpus), settings_(settings), observer_(observer), stop_(stop),
          pool_(settings.threads, settings.background), forward_(file, std::move(config), pool_) {
        if (settings.timings) times_.emplace(pool_);
        forward_.set_stage_times(times());
        const auto& model = forward_.config();
        tiles_ = model::cut_tiles(corpus);
        info_ = describe(model, *file, corpus, settings, tiles_.size());
        for (std::size_t half = 0; half < halves_; ++half)
            for (const auto neurons : model.intermediate) totals_.emplace_back(neurons);
        published_.resize(model.layers);
        for (std::size_t i = 0; i < halves_ * pool_.threads(); ++i)
            accumulators_.emplace_back(settings.context);
        order_ = order_of_tiles(tiles_.size(), settings);
        if (const auto& wanted = settings.until_stable)
            info_.stability =
                Stability{wanted->rule, wanted->goal, Profile{info_, {}}.neurons(), corpus.tokens, {}};
    }

    Result<void> resume();
    Result<RunResult> go();

  private:
    model::StageTimes* times() { return times_ ? &*times_ : nullptr; }
    Result<void> run_wave(const Wave& wave, std::uint32_t index);
    Result<void> run_layer(std::uint32_t layer);
    Result<void> load_layer(std::uint32_t layer);
    void begin_statistics(std::uint32_t layer);
    Result<void> add_up(std::uint32_t layer);
    LayerStatistics& total(std::size_t half, std::uint32_t layer) {
        return totals_[half * info_.layers + layer];
    }
    Accumulator& accumulator(std::size_t half, std::size_t thread) {
        return accumulators_[half * pool_.threads() + thread];
    }
    bool has_become_stable();
    void describe_what_was_used();
    ProfileInfo checkpoint_info() const;
    void collect_non_finite(std::uint32_t layer);
    void publish(std::uint32_t layer);
    void publish_layer(std::uint32_t layer);
    void report(const Wave& wave, std::uint32_t index, std::uint32_t layer);
    Result<void> checkpoint_if_due();
    Result<void> write_checkpoint();
    Result<void> keep_finished_waves();
    void wait_while_paused() const;
    Result<Profile> gather(); ///< gives up the totals
    MemoryAccount account() const;

    const text::Corpus& corpus_;
    const RunSettings& settings_;
    const RunObserver& observer_;
    std::stop_token stop_;
    /// Whose statistics are kept apart: 1, or 2 until stable, tiles of even and of odd index.
    const std::size_t halves_ = settings_.until_stable ? 2 : 1;
    ThreadPool pool_;
    std::optional<model::StageTimes> times_;
    model::Forward forward_;
    std::vector<model::Tile> tiles_;
    ProfileInfo info_;
    std::vector<std::uint32_t> order_;       ///< in which tiles are worked on
    std::vector<LayerStatistics> totals_;    ///< (half, layer)
    std::vector<LayerProfilePtr> published_; ///< (layer) what observers were shown last
    std::vector<Accumulator> accumulators_;  ///< (half, thread)
    /// Whether waves were finished that no checkpoint holds. Then `kept_` has the totals (layer, half) as they were before the
    /// running wave, of the layers it has reached, since a wave that is cancelled must leave no trace in a checkpoint.
    bool unsaved_ = false;
    std::vector<LayerStatistics> kept_;
    std::vector<NonFinite> kept_non_finite_;
    std::uint64_t kept_bytes_ = 0; ///< at most so far
    std::vector<Wave> waves_;
    std::uint64_t tokens_to_do_ = 0, tokens_before_wave_ = 0;
    Clock::time_point began_ = Clock::now(), last_checkpoint_ = Clock::now();
    Seconds checkpoint_cost_{}; ///< of the last one
    std::uint64_t accumulator_bytes_ = 0;
    std::uint64_t memory_before_ = read_process_memory().anonymous;
};

Result<void> Run::resume() {
    const model::StageTimes::Section opening(times(), model::Stage::Opening);
    std::error_code missing;
    if (settings_.checkpoint.empty() || !std::filesystem::exists(settings_.checkpoint, missing)) return {};
    PERMAFROST_TRY(const auto saved, read_profile(settings_.checkpoint));
    const auto& info = saved->info;
    const auto expected = checkpoint_info();
    if (info.stability.has_value() != expected.stability.has_value())
        return Error{settings_.checkpoint.string() + " is of a run " +
                     (expected.stability ? "that was not to end" : "that was to end") +
                     " when stable; delete it, run without resuming, or with the same options as before"};
    if (info.stability && (info.stability->rule != expected.stability->rule ||
                           info.stability->goal != expected.stability->goal))
        return Error{settings_.checkpoint.string() +
                     " is of a run with another rule or other limits of stability; delete it, run without "
                     "resuming, or with the same options as before"};
    if (info.model_sha256 != info_.model_sha256 || info.corpus_sha256 != info_.corpus_sha256 ||
        info.context != info_.context || info.tiles != info_.tiles ||
        info.intermediate != expected.intermediate)
        return Error{settings_.checkpoint.string() +
                     " is of another run (model, text or context differ); delete it or run without resuming"};
    for (std::uint32_t tile = 0; tile < info.tiles; ++tile)
        if (info.tiles_done[tile] && tile % settings_.shards != settings_.shard - 1)
            return Error{settings_.checkpoint.string() +
                         " is of another run (another shard); delete it or run without resuming"};
    for (std::size_t i = 0; i < totals_.size(); ++i)
        if (saved->layers[i]) totals_[i] = saved->layers[i]->statistics();
    if (observer_.snapshot)
        for (std::uint32_t layer = 0; layer < info_.layers; ++layer) publish_layer(layer);
    info_.tiles_done = info.tiles_done;
    info_.stability = info.stability;
    info_.non_finite = info.non_finite;
    return {};
}

Result<RunResult> Run::go() {
    waves_ = cut_waves(tiles_, order_, settings_, info_.tiles_done);
    for (const auto& wave : waves_)
        for (const auto& tile : wave.tiles) tokens_to_do_ += tile.tokens;
    began_ = last_checkpoint_ = Clock::now();
    for (std::uint32_t index = 0; index < waves_.size(); ++index) {
        wait_while_paused();
        const auto ran = run_wave(waves_[index], index);
        if (ran.cancelled()) PERMAFROST_CHECK(keep_finished_waves());
        PERMAFROST_CHECK(ran);
        if (has_become_stable()) break;
        if (index + 1 < waves_.size()) PERMAFROST_CHECK(checkpoint_if_due());
    }

    RunResult result;
    result.seconds = Seconds(Clock::now() - began_).count();
    result.tokens = tokens_before_wave_;
    result.threads = pool_.threads();
    result.floating_point_operations = forward_.operations();
    result.memory = account();
    PERMAFROST_TRY(auto profile, gather());
    result.profile = std::make_shared<const Profile>(std::move(profile));
    const auto memory = read_process_memory();
    result.memory.peak_rss = memory.peak_resident;
    result.memory.file_pages = memory.file_pages;
    if (times_) result.stages = times_->seconds();
    return result;
}

Result<void> Run::run_wave(const Wave& wave, std::uint32_t index) {
    kept_.clear();
    kept_non_finite_ = info_.non_finite;
    {
        const model::StageTimes::Section embedding(times(), model::Stage::Embedding);
        PERMAFROST_CHECK(forward_.begin_wave(corpus_, wave.tiles, stop_));
    }
    for (std::uint32_t layer = 0; layer < info_.layers; ++layer) {
        PERMAFROST_CHECK(run_layer(layer));
        const bool last = layer + 1 == info_.layers;
        if (last)
            for (const auto& tile : wave.tiles) info_.tiles_done[tile.index] = true;
        publish(layer);
        report(wave, index, layer);
    }
    for (const auto& tile : wave.tiles) tokens_before_wave_ += tile.tokens;
    return {};
}

Result<void> Run::run_layer(std::uint32_t layer) {
    PERMAFROST_CHECK(load_layer(layer));
    begin_statistics(layer);
    const bool done = forward_.run_layer(
        [this](model::FfnActivations& activations) {
            accumulator(activations.tile.index % halves_, activations.thread).add(activations);
        },
        stop_);
    if (!done) return Cancelled{};
    return add_up(layer);
}

Result<void> Run::load_layer(std::uint32_t layer) {
    const model::StageTimes::Section weights(times(), model::Stage::Weights);
    if (!forward_.load_layer(layer, stop_)) return Cancelled{};
    const auto without_tokens = [&](std::size_t half) { return total(half, layer).tokens == 0; };
    if (!without_tokens(0) && !without_tokens(halves_ - 1)) return {};
    const auto norms = forward_.down_norms();
    for (std::size_t half = 0; half < halves_; ++half) total(half, layer).down_norm = norms;
    return {};
}

void Run::begin_statistics(std::uint32_t layer) {
    const model::StageTimes::Section statistics(times(), model::Stage::Statistics);
    for (auto& accumulator : accumulators_) {
        accumulator.begin_layer(total(0, layer).neurons);
        accumulator.statistics().down_norm = total(0, layer).down_norm;
    }
}

Result<void> Run::add_up(std::uint32_t layer) {
    const model::StageTimes::Section merging(times(), model::Stage::Merging);
    std::uint64_t bytes = 0;
    for (std::size_t half = 0; half < halves_; ++half) {
        auto& sum = total(half, layer);
        if (unsaved_) kept_.push_back(sum);
        for (std::size_t thread = 0; thread < pool_.threads(); ++thread) {
            PERMAFROST_CHECK(sum.merge(accumulator(half, thread).statistics()));
            bytes += accumulator(half, thread).bytes();
        }
    }
    accumulator_bytes_ = std::max(accumulator_bytes_, bytes);
    collect_non_finite(layer);
    return {};
}

void Run::collect_non_finite(std::uint32_t layer) {
    auto& places = info_.non_finite;
    for (const auto& accumulator : accumulators_)
        for (const auto& spot : accumulator.non_finite())
            places.push_back({layer, spot.neuron, spot.sequence});
    std::sort(places.begin(), places.end(), LaterPlace{});
    if (places.size() > most_places) places.resize(most_places);
}

void Run::publish_layer(std::uint32_t layer) {
    LayerStatistics sum = total(0, layer);
    // Halves of one run add up: they have equal neurons and norms, and check() bounds their tokens.
    if (halves_ == 2) static_cast<void>(sum.merge(total(1, layer)));
    if (sum.tokens > 0) published_[layer] = std::make_shared<const LayerProfile>(std::move(sum));
}

void Run::publish(std::uint32_t layer) {
    if (!observer_.snapshot) return;
    publish_layer(layer);
    observer_.snapshot(std::make_shared<const Profile>(Profile{info_, published_}));
}

void Run::report(const Wave& wave, std::uint32_t index, std::uint32_t layer) {
    if (!observer_.progress) return;
    std::uint64_t in_wave = 0;
    for (const auto& tile : wave.tiles) in_wave += tile.tokens;
    const double done = static_cast<double>(tokens_before_wave_) +
                        static_cast<double>(in_wave) * (layer + 1) / static_cast<double>(info_.layers);
    RunProgress progress;
    progress.share = done / static_cast<double>(tokens_to_do_);
    progress.tokens_done = static_cast<std::uint64_t>(done);
    progress.tokens_total = tokens_to_do_;
    progress.elapsed = Clock::now() - began_;
    progress.tokens_per_second = done / std::max(progress.elapsed.count(), 1e-9);
    progress.remaining = progress.elapsed * ((1 - progress.share) / progress.share);
    progress.wave = index;
    progress.waves = static_cast<std::uint32_t>(waves_.size());
    progress.layer = layer;
    observer_.progress(progress);
}

// Copies of the totals are only kept while they are small; large ones are written after each wave instead.
Result<void> Run::checkpoint_if_due() {
    constexpr std::uint64_t most_kept_bytes = std::uint64_t{64} << 20;
    if (settings_.checkpoint.empty()) return {};
    std::uint64_t bytes = 0;
    for (const auto& total : totals_) bytes += total.bytes();
    const Seconds since = Clock::now() - last_checkpoint_;
    const bool due =
        since >= settings_.checkpoint_interval || checkpoint_cost_ < settings_.checkpoint_share * since;
    unsaved_ = !due && bytes <= most_kept_bytes;
    if (unsaved_) kept_bytes_ = bytes;
    return unsaved_ ? Result<void>() : write_checkpoint();
}

Result<void> Run::keep_finished_waves() {
    if (!unsaved_) return {};
    for (std::size_t i = 0; i < kept_.size(); ++i)
        total(i % halves_, static_cast<std::uint32_t>(i / halves_)) = std::move(kept_[i]);
    info_.non_finite = kept_non_finite_;
    return write_checkpoint();
}

Result<void> Run::write_checkpoint() {
    const auto began = Clock::now();
    const model::StageTimes::Section writing(times(), model::Stage::Writing);
    const LentLayers lent(totals_, pool_);
    PERMAFROST_CHECK(write_profile(Profile{checkpoint_info(), lent.layers()}, settings_.checkpoint));
    last_checkpoint_ = Clock::now();
    checkpoint_cost_ = last_checkpoint_ - began;
    return {};
}

void Run::wait_while_paused() const {
    while (observer_.paused && observer_.paused() && !stop_.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

Result<Profile> Run::gather() {
    const model::StageTimes::Section merging(times(), model::Stage::Merging);
    describe_what_was_used();
    Profile profile{info_, {}};
    for (std::uint32_t layer = 0; layer < info_.layers; ++layer) {
        auto& sum = total(0, layer);
        if (halves_ == 2) PERMAFROST_CHECK(sum.merge(total(1, layer)));
        if (published_[layer] && published_[layer]->tokens() == sum.tokens)
            profile.layers.push_back(published_[layer]);
        else if (sum.tokens == 0)
            profile.layers.push_back(nullptr);
        else
            profile.layers.push_back(std::make_shared<const LayerProfile>(std::move(sum)));
    }
    return profile;
}

bool Run::has_become_stable() {
    if (!info_.stability) return false;
    const model::StageTimes::Section comparing(times(), model::Stage::Stability);
    const LentLayers lent(totals_, pool_);
    const std::span<const LayerProfilePtr> layers(lent.layers());
    auto point = settings_.until_stable->compare(layers.first(info_.layers), layers.last(info_.layers));
    point.tokens = 0;
    for (const auto& tile : tiles_)
        if (info_.tiles_done[tile.index]) point.tokens += tile.tokens;
    info_.stability->curve.push_back(point);
    return info_.stability->reached();
}

// The profile of a run that ended early is that of its sequences, as if there had been no others.
void Run::describe_what_was_used() {
    if (!info_.stability || info_.complete()) return;
    std::vector<std::size_t> used; // tiles and their parts ascend
    for (const auto& tile : tiles_)
        if (info_.tiles_done[tile.index])
            for (const auto& part : tile.parts) used.push_back(part.sequence);
    const auto corpus = text::chosen_sequences(corpus_, used);
    auto settings = settings_;
    if (settings.prompts != 0) {
        std::set<std::uint64_t> prompts;
        for (const auto& sequence : corpus.sequences) prompts.insert(sequence.prompt);
        settings.prompts = prompts.size();
    }
    auto info =
        describe(forward_.config(), forward_.file(), corpus, settings, model::cut_tiles(corpus).size());
    info.tiles_done.assign(info.tiles, true);
    info.stability = std::move(info_.stability);
    for (auto place : info_.non_finite) {
        place.sequence = static_cast<std::uint64_t>(
            std::lower_bound(used.begin(), used.end(), place.sequence) - used.begin());
        info.non_finite.push_back(place);
    }
    info_ = std::move(info);
}

// Both halves' layers, one after another: a run that goes on needs them apart.
ProfileInfo Run::checkpoint_info() const {
    auto info = info_;
    if (halves_ == 1) return info;
    info.layers *= 2;
    info.intermediate.insert(info.intermediate.end(), info_.intermediate.begin(), info_.intermediate.end());
    return info;
}

MemoryAccount Run::account() const {
    MemoryAccount memory;
    memory.layer_weights = forward_.weight_bytes();
    memory.wave_states = forward_.wave_bytes();
    memory.scratch = forward_.scratch_bytes() + accumulator_bytes_;
    for (const auto& total : totals_) memory.statistics += total.bytes();
    memory.statistics += kept_bytes_;
    memory.before_run = memory_before_;
    return memory;
}

} // namespace

Result<RunResult> run_profile(const formats::ModelFilePtr& file, const text::Corpus& corpus,
                              const RunSettings& settings, const RunObserver& observer,
                              const std::stop_token& stop) {
    PERMAFROST_CHECK(check(corpus, settings));
    if (settings.background) make_this_thread_background();
    PERMAFROST_TRY(auto config, model::read_model_config(*file));
    Run run(file, std::move(config), corpus, settings, observer, stop);
    if (settings.resume) PERMAFROST_CHECK(run.resume());
    return run.go();
}

} // namespace permafrost::profile
