// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/benchmark_plan.h"

#include "core/masks/mask_identity.h"
#include "core/quality/masked_model.h"

#include <algorithm>
#include <chrono>

namespace permafrost::gui {
namespace {

using speed::FfnLayers;
using speed::FrozenNeurons;
using widgets::BenchmarkConditions;
using widgets::BenchmarkRow;
using widgets::BenchmarkWay;

/// What a set of frozen neurons stands for in a row.
struct Subject {
    int percent = 0;
    bool width = false;
    std::string mask;
};

struct Sets {
    std::vector<FrozenNeurons> frozen;
    std::vector<Subject> subjects; ///< of each of these
};

FrozenNeurons frozen_by(const verdict::Decision& decision) {
    FrozenNeurons result{"present mask", {}};
    for (const auto& layer : decision.masks) {
        auto& frozen = result.layers.emplace_back();
        for (std::uint32_t neuron = 0; neuron < layer.frozen.size(); ++neuron)
            if (layer.frozen.test(neuron)) frozen.push_back(neuron);
    }
    return result;
}

Sets sets_of(const BenchmarkPlan& plan, const FfnLayers& layers, bool f32) {
    Sets sets;
    const auto add = [&](FrozenNeurons frozen, Subject subject) {
        sets.frozen.push_back(std::move(frozen));
        sets.subjects.push_back(std::move(subject));
    };
    if (plan.decision && !f32)
        add(frozen_by(*plan.decision), {0, false, masks::mask_identity(quality::masks_of(*plan.decision))});
    if (plan.mask_alone) return sets;
    for (const int percent : speed::frozen_percents)
        add(speed::random_frozen(layers, percent), {percent, false, {}});
    for (const int percent : speed::width_percents)
        add(speed::last_frozen(layers, percent), {percent, true, {}});
    return sets;
}

/// Layers of the size of the first, as many as the model has where that is not too much memory.
FfnLayers f32_layers(const FfnLayers& own) {
    constexpr auto most = std::uint64_t{512} << 20;
    const auto hidden = static_cast<std::uint32_t>(own.layers.front().hidden());
    const auto neurons = static_cast<std::uint32_t>(own.layers.front().neurons());
    const auto all = std::uint64_t{own.of_model} * 3 * hidden * neurons * sizeof(float);
    return speed::random_layers({"own", "own", own.of_model, hidden, neurons, 0}, tensor::ElementType::F32,
                                std::min(all, most));
}

std::vector<BenchmarkRow> rows_of(const speed::FfnSpeed& measured, const Sets& sets,
                                  const BenchmarkConditions& conditions) {
    std::vector<BenchmarkRow> rows;
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    const auto add = [&](BenchmarkWay way, const Subject& subject, double share, double ideal,
                         const speed::WaySpeed& speed) {
        rows.push_back({conditions, way, subject.percent, subject.mask, share, ideal, speed,
                        measured.stream_gbps, measured.gemm_gflops, now});
    };
    add(BenchmarkWay::TwoProducts, {}, 0, 1, measured.two_products);
    add(BenchmarkWay::Fused, {}, 0, 1, measured.fused);
    for (std::size_t i = 0; i < measured.frozen.size(); ++i) {
        const auto& set = measured.frozen[i];
        const auto& subject = sets.subjects[i];
        if (!subject.width) add(BenchmarkWay::Masked, subject, set.frozen_share, set.ideal, set.masked);
        if (set.compacted)
            add(subject.width ? BenchmarkWay::Width : BenchmarkWay::Compacted, subject, set.frozen_share,
                set.ideal, *set.compacted);
    }
    return rows;
}

/// Roughly what a pass takes, for the progress: reading the weights, or multiplying with them.
double weight_of(const FfnLayers& layers, const BenchmarkConditions& conditions) {
    constexpr double bytes_a_second = 8e9, operations_a_second = 40e9;
    double operations = 0;
    for (const auto& layer : layers.layers)
        operations += 6.0 * static_cast<double>(layer.hidden()) * static_cast<double>(layer.neurons());
    return std::max(static_cast<double>(layers.bytes()) / bytes_a_second,
                    operations * static_cast<double>(conditions.tokens) /
                        (operations_a_second * static_cast<double>(conditions.threads)));
}

class Progress {
  public:
    Progress(const BenchmarkPlan& plan, const FfnLayers& layers) {
        for (const auto& each : plan.conditions) weights_.push_back(weight_of(layers, each));
        for (const double weight : weights_) all_ += weight;
    }
    double at(std::size_t condition, double share) const {
        double done = share * weights_[condition];
        for (std::size_t i = 0; i < condition; ++i) done += weights_[i];
        return done / all_;
    }

  private:
    std::vector<double> weights_;
    double all_ = 0;
};

Result<void> measure_under(const BenchmarkPlan& plan, const BenchmarkConditions& conditions,
                           const FfnLayers& layers, double ffn_share,
                           const std::function<void(double)>& progress, const BenchmarkObserver& observer,
                           const std::stop_token& stop) {
    const auto sets = sets_of(plan, layers, conditions.f32);
    speed::SpeedSettings settings;
    settings.conditions = {{conditions.threads, conditions.tokens}};
    settings.repeats = plan.repeats;
    speed::SpeedObserver inner;
    inner.progress = progress;
    inner.measured = [&](const std::vector<speed::FfnSpeed>& so_far) {
        observer.measured(rows_of(so_far.front(), sets, conditions), ffn_share);
    };
    PERMAFROST_TRY(const auto measured, speed::measure_ffn_speed(layers, sets.frozen, settings, inner, stop));
    observer.measured(rows_of(measured.front(), sets, conditions), ffn_share);
    return {};
}

} // namespace

Result<void> measure(const BenchmarkPlan& plan, const BenchmarkObserver& observer,
                     const std::stop_token& stop) {
    PERMAFROST_TRY(const auto own, speed::layers_of(plan.file));
    std::optional<FfnLayers> f32;
    const Progress progress(plan, own);
    for (std::size_t i = 0; i < plan.conditions.size(); ++i) {
        const auto& conditions = plan.conditions[i];
        if (conditions.f32 && !f32) f32 = f32_layers(own);
        const auto& layers = conditions.f32 ? *f32 : own;
        PERMAFROST_CHECK(measure_under(
            plan, conditions, layers, own.ffn_share(),
            [&](double share) { observer.progress(progress.at(i, share)); }, observer, stop));
    }
    return {};
}

} // namespace permafrost::gui
