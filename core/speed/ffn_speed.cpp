// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/speed/ffn_speed.h"

#include "core/model/ffn_batch.h"
#include "core/tensor/encode.h"
#include "core/tensor/machine_rates.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <random>

namespace permafrost::speed {
namespace {

using model::ActiveNeurons;
using model::FfnMatrices;
using Seconds = std::chrono::duration<double>;

/// One layer under some conditions, whatever the number of tokens.
class LayerRunner {
  public:
    LayerRunner(ThreadPool& pool, std::size_t tokens, std::size_t hidden)
        : one_(pool), many_(pool), tokens_(tokens), hidden_(hidden), x_(tokens * hidden), y_(x_.size()) {
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = static_cast<float>(i % 17) / 17.0f - 0.5f;
    }
    void run_two_products(const FfnMatrices& layer) {
        if (tokens_ > 1) return run(layer, ActiveNeurons::all(layer));
        one_.run_two_products(layer, x_, y_);
    }
    void run(const FfnMatrices& layer, const ActiveNeurons& active) {
        if (tokens_ == 1) return one_.run_fused(layer, active, x_, y_);
        many_.run(layer, active, {x_.data(), tokens_, hidden_, hidden_},
                  {y_.data(), tokens_, hidden_, hidden_});
    }

  private:
    model::FfnRunner one_;
    model::FfnBatch many_;
    std::size_t tokens_, hidden_;
    std::vector<float> x_, y_;
};

/// Something to time, and how long each pass over all layers took.
struct Way {
    std::function<void(std::size_t layer)> run;
    double bytes = 0, operations = 0; ///< of all timed layers
    std::vector<double> seconds = {};
};

double quantile(std::vector<double> values, double q) {
    std::sort(values.begin(), values.end());
    const auto place = q * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, values.size() - 1);
    return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
}

double operations_of(std::size_t hidden, std::size_t neurons) {
    return 6.0 * static_cast<double>(hidden) * static_cast<double>(neurons);
}

class Measurement {
  public:
    Measurement(const FfnLayers& layers, const std::vector<FrozenNeurons>& frozen,
                const SpeedSettings& settings, const SpeedObserver& observer, const std::stop_token& stop)
        : layers_(layers), frozen_(frozen), settings_(settings), observer_(observer), stop_(stop),
          // Two dense ways, then each set beside a dense one; a turn more than counts.
          passes_(settings.conditions.size() * (settings.repeats + 1) *
                  (2 + frozen.size() * (settings.compact ? 3 : 2))) {
        for (const auto& layer : layers.layers) all_.push_back(ActiveNeurons::all(layer));
    }

    /// Returns false after a stop.
    bool measure(const Conditions& conditions) {
        ThreadPool pool(conditions.threads);
        std::optional<PinnedThreads> pinned;
        if (settings_.pinned) pinned.emplace(pool);
        LayerRunner runner(pool, conditions.tokens, layers_.layers.front().hidden());
        runner_ = &runner;
        tokens_ = conditions.tokens;
        auto& result = results_.emplace_back();
        result.conditions = {pool.threads(), conditions.tokens};
        result.stream_gbps = tensor::measure_stream_gbps(pool);
        result.gemm_gflops = tensor::measure_product_gflops(pool);

        Way two = dense_way(), fused = dense_way();
        two.run = [&](std::size_t i) { runner.run_two_products(layers_.layers[i]); };
        if (!time_in_turns({&two, &fused})) return false;
        result.two_products = speed_of(two, fused);
        result.fused = speed_of(fused, fused);
        publish();
        for (const auto& frozen : frozen_)
            if (!measure_frozen(frozen)) return false;
        // On a shared machine the rates of before alone may be of another time.
        result.stream_gbps = (result.stream_gbps + tensor::measure_stream_gbps(pool)) / 2;
        result.gemm_gflops = (result.gemm_gflops + tensor::measure_product_gflops(pool)) / 2;
        return true;
    }

    std::vector<FfnSpeed> take() { return std::move(results_); }

  private:
    Way dense_way() const {
        Way way;
        way.run = [this](std::size_t i) { runner_->run(layers_.layers[i], all_[i]); };
        way.bytes = static_cast<double>(layers_.bytes());
        for (const auto& layer : layers_.layers)
            way.operations += operations_of(layer.hidden(), layer.neurons());
        return way;
    }

    std::vector<ActiveNeurons> active_without(const FrozenNeurons& frozen) const {
        std::vector<ActiveNeurons> active;
        for (std::size_t i = 0; i < layers_.layers.size(); ++i)
            active.emplace_back(layers_.layers[i], frozen_of(frozen, i));
        return active;
    }
    static std::span<const std::uint32_t> frozen_of(const FrozenNeurons& frozen, std::size_t layer) {
        if (layer >= frozen.layers.size()) return {};
        return frozen.layers[layer];
    }

    Way masked_way(const std::vector<ActiveNeurons>& active) const {
        Way way;
        way.run = [this, &active](std::size_t i) { runner_->run(layers_.layers[i], active[i]); };
        for (std::size_t i = 0; i < layers_.layers.size(); ++i) {
            const auto& layer = layers_.layers[i];
            const auto rows = static_cast<double>(active[i].count()),
                       all = static_cast<double>(layer.neurons());
            double columns = 0;
            for (const auto& run : active[i].columns()) columns += static_cast<double>(run.count);
            way.bytes += static_cast<double>(layer.gate.bytes.size() + layer.up.bytes.size()) * rows / all +
                         static_cast<double>(layer.down.bytes.size()) * columns / all;
            way.operations += operations_of(layer.hidden(), active[i].count());
        }
        return way;
    }

    bool measure_frozen(const FrozenNeurons& frozen) {
        const auto active = active_without(frozen);
        std::vector<model::CompactedFfn> packed;
        std::vector<ActiveNeurons> whole;
        const bool can_pack = settings_.compact && std::all_of(layers_.layers.begin(), layers_.layers.end(),
                                                               [](const auto& layer) {
                                                                   return tensor::can_encode(layer.down.type);
                                                               });
        if (can_pack)
            for (std::size_t i = 0; i < layers_.layers.size(); ++i) {
                if (stop_.stop_requested()) return false;
                packed.emplace_back(layers_.layers[i], frozen_of(frozen, i));
                whole.push_back(ActiveNeurons::all(packed.back().matrices()));
            }
        Way dense = dense_way(), masked = masked_way(active), compacted;
        compacted.run = [&](std::size_t i) { runner_->run(packed[i].matrices(), whole[i]); };
        for (const auto& each : packed) {
            compacted.bytes += static_cast<double>(each.matrices().bytes());
            compacted.operations += operations_of(each.matrices().hidden(), each.matrices().neurons());
        }
        std::vector<Way*> ways{&dense, &masked};
        if (can_pack) ways.push_back(&compacted);
        if (!time_in_turns(ways)) return false;

        auto& result = results_.back().frozen.emplace_back();
        result.name = frozen.name;
        std::size_t count = 0, neurons = 0;
        for (std::size_t i = 0; i < layers_.layers.size(); ++i) {
            count += frozen_of(frozen, i).size();
            neurons += layers_.layers[i].neurons();
        }
        result.frozen_share = static_cast<double>(count) / static_cast<double>(neurons);
        result.ideal = masked.operations > 0 ? dense.operations / masked.operations : 1;
        result.dense_beside = speed_of(dense, dense);
        result.masked = speed_of(masked, dense);
        if (can_pack) result.compacted = speed_of(compacted, dense);
        publish();
        return true;
    }

    /// In turns, so that what else the machine does falls on all alike; the first turn does not count.
    bool time_in_turns(const std::vector<Way*>& ways) {
        for (std::size_t turn = 0; turn <= settings_.repeats; ++turn)
            for (auto* way : ways) {
                const auto began = std::chrono::steady_clock::now();
                for (std::size_t layer = 0; layer < layers_.layers.size(); ++layer) {
                    if (stop_.stop_requested()) return false;
                    way->run(layer);
                }
                const Seconds took = std::chrono::steady_clock::now() - began;
                if (turn != 0) way->seconds.push_back(took.count());
                ++passes_done_;
                if (observer_.progress)
                    observer_.progress(
                        std::min(1.0, static_cast<double>(passes_done_) / static_cast<double>(passes_)));
            }
        return true;
    }

    WaySpeed speed_of(const Way& way, const Way& dense) const {
        std::vector<double> ratios;
        for (std::size_t turn = 0; turn < way.seconds.size(); ++turn)
            ratios.push_back(dense.seconds[turn] / way.seconds[turn]);
        // Of the timed layers, to one token and all layers of the model.
        const double whole_model =
            static_cast<double>(layers_.of_model) / static_cast<double>(layers_.layers.size());
        const double to_token = whole_model / static_cast<double>(tokens_);
        return {quantile(way.seconds, 0.5) * to_token,
                quantile(way.seconds, 0.1) * to_token,
                quantile(way.seconds, 0.9) * to_token,
                way.bytes * whole_model,
                way.operations * whole_model,
                quantile(ratios, 0.5),
                quantile(ratios, 0.1),
                quantile(ratios, 0.9)};
    }

    void publish() const {
        if (observer_.measured) observer_.measured(results_);
    }

    const FfnLayers& layers_;
    const std::vector<FrozenNeurons>& frozen_;
    const SpeedSettings& settings_;
    const SpeedObserver& observer_;
    const std::stop_token& stop_;
    std::vector<ActiveNeurons> all_;
    std::vector<FfnSpeed> results_;
    LayerRunner* runner_ = nullptr;
    std::size_t tokens_ = 1, passes_ = 0, passes_done_ = 0;
};

Result<void> check(const FfnLayers& layers, const std::vector<FrozenNeurons>& frozen) {
    if (layers.layers.empty()) return Error{"There are no layers to measure."};
    for (const auto& set : frozen) {
        if (set.layers.size() > layers.layers.size())
            return Error{"Frozen neurons \"" + set.name + "\" are of " + std::to_string(set.layers.size()) +
                         " layers, but there are " + std::to_string(layers.layers.size()) +
                         ": use those of the same model."};
        for (std::size_t i = 0; i < set.layers.size(); ++i)
            if (!set.layers[i].empty() && set.layers[i].back() >= layers.layers[i].neurons())
                return Error{"Frozen neurons \"" + set.name + "\": layer " + std::to_string(i) + " has " +
                             std::to_string(layers.layers[i].neurons()) + " neurons, no number " +
                             std::to_string(set.layers[i].back()) + ": use those of the same model."};
    }
    return {};
}

} // namespace

FrozenNeurons random_frozen(const FfnLayers& layers, int percent) {
    FrozenNeurons result{"random " + std::to_string(percent) + " %", {}};
    std::mt19937 random(static_cast<unsigned>(percent));
    for (const auto& layer : layers.layers) {
        std::vector<std::uint32_t> all(layer.neurons());
        std::iota(all.begin(), all.end(), 0u);
        std::shuffle(all.begin(), all.end(), random);
        all.resize(all.size() * static_cast<std::size_t>(percent) / 100);
        std::sort(all.begin(), all.end());
        result.layers.push_back(std::move(all));
    }
    return result;
}

FrozenNeurons last_frozen(const FfnLayers& layers, int percent) {
    FrozenNeurons result{std::to_string(percent) + " % wide", {}};
    for (const auto& layer : layers.layers) {
        const auto kept = layer.neurons() * static_cast<std::size_t>(percent) / 100;
        auto& removed = result.layers.emplace_back(layer.neurons() - kept);
        std::iota(removed.begin(), removed.end(), static_cast<std::uint32_t>(kept));
    }
    return result;
}

Result<std::vector<FfnSpeed>> measure_ffn_speed(const FfnLayers& layers,
                                                const std::vector<FrozenNeurons>& frozen,
                                                const SpeedSettings& settings, const SpeedObserver& observer,
                                                const std::stop_token& stop) {
    PERMAFROST_CHECK(check(layers, frozen));
    Measurement measurement(layers, frozen, settings, observer, stop);
    for (const auto& conditions : settings.conditions)
        if (!measurement.measure(conditions)) return Cancelled{};
    return measurement.take();
}

double whole_model_speedup(double ffn_share, double ffn_speedup) {
    return 1 / (1 - ffn_share + ffn_share / ffn_speedup);
}

} // namespace permafrost::speed
