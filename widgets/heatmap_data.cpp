// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap_data.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace permafrost::widgets {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr ValueRange nothing{std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()};

std::size_t bits_between(const masks::Bitmask& mask, std::size_t begin, std::size_t end) {
    const auto bytes = mask.bytes();
    std::size_t bits = 0;
    for (; begin < end && begin % 8 != 0; ++begin) bits += mask.test(begin) ? 1 : 0;
    for (; begin + 8 <= end; begin += 8) bits += static_cast<std::size_t>(std::popcount(bytes[begin / 8]));
    for (; begin < end; ++begin) bits += mask.test(begin) ? 1 : 0;
    return bits;
}

float pool(const profile::ValueSummary& summary, std::size_t values, Pooling pooling) {
    switch (pooling) {
    case Pooling::Largest:
        return summary.largest;
    case Pooling::Smallest:
        return summary.smallest;
    case Pooling::Mean:
        break;
    }
    return static_cast<float>(summary.sum / static_cast<double>(values));
}

} // namespace

void HeatmapData::set(const ProfilePtr& profile, const DecisionPtr& decision, Metric metric,
                      NeuronOrder order) {
    profile_ = profile;
    decision_ = decision;
    if (metric != metric_ || order != order_) rows_.clear();
    metric_ = metric;
    order_ = order;
    widest_ = 0;
    if (!profile) {
        rows_.clear();
        return;
    }
    for (auto neurons : profile->info.intermediate) widest_ = std::max(widest_, neurons);
    rows_.resize(profile->layers.size());
    if (metric == Metric::Frozen) return;
    const masks::FreezeRule rule = decision ? decision->rule : masks::FreezeRule{};
    const bool by_threshold = metric == Metric::LowActivity;
    for (std::size_t layer = 0; layer < rows_.size(); ++layer) {
        auto& row = rows_[layer];
        const double threshold =
            by_threshold ? rule.for_layer(static_cast<std::uint32_t>(layer)).activation_threshold : 0;
        const auto& source = profile->layers[layer];
        if (row.source == source && row.activation_threshold == threshold) continue;
        row.source = source;
        fill(row, threshold);
    }
}

void HeatmapData::fill(Row& row, double activation_threshold) const {
    row.activation_threshold = activation_threshold;
    auto values =
        row.source ? metric_values(*row.source, metric_, activation_threshold) : std::vector<float>{};
    row.order.clear();
    if (order_ == NeuronOrder::Metric) {
        row.order = profile::descending_order(values);
        std::vector<float> sorted(values.size());
        for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = values[row.order[i]];
        values = std::move(sorted);
    }
    row.values = profile::ValuePyramid(std::move(values));
    measure(row);
}

std::uint32_t HeatmapData::layers() const {
    return profile_ ? static_cast<std::uint32_t>(profile_->layers.size()) : 0;
}

bool HeatmapData::is_frozen(std::uint32_t layer, std::uint32_t neuron) const {
    return decision_ && layer < decision_->masks.size() && neuron < decision_->masks[layer].frozen.size() &&
           decision_->masks[layer].frozen.test(neuron);
}

float HeatmapData::value(std::uint32_t layer, std::uint32_t neuron) const {
    const auto* statistics = layer_of(profile_, layer);
    if (!statistics || neuron >= statistics->neurons()) return nan;
    if (metric_ == Metric::Frozen) return is_frozen(layer, neuron) ? 1.0F : 0.0F;
    const auto values = rows_[layer].values.values();
    return neuron < values.size() ? values[position_of(layer, neuron)] : nan;
}

std::uint32_t HeatmapData::neuron_at(std::uint32_t layer, std::uint32_t position) const {
    const auto* statistics = layer_of(profile_, layer);
    if (order_ == NeuronOrder::Index || !statistics || position >= statistics->neurons()) return position;
    if (metric_ != Metric::Frozen)
        return position < rows_[layer].order.size() ? rows_[layer].order[position] : position;
    const auto neurons = static_cast<std::uint32_t>(statistics->neurons());
    const auto frozen = decision_ && layer < decision_->layers.size() ? decision_->layers[layer].frozen : 0;
    const bool wanted = position < frozen;
    auto left = wanted ? position : position - frozen;
    for (std::uint32_t neuron = 0; neuron < neurons; ++neuron)
        if (is_frozen(layer, neuron) == wanted && left-- == 0) return neuron;
    return position;
}

std::uint32_t HeatmapData::position_of(std::uint32_t layer, std::uint32_t neuron) const {
    const auto* statistics = layer_of(profile_, layer);
    if (order_ == NeuronOrder::Index || !statistics || neuron >= statistics->neurons()) return neuron;
    if (metric_ != Metric::Frozen) {
        const auto& order = rows_[layer].order;
        const auto place = std::find(order.begin(), order.end(), neuron);
        return place == order.end() ? neuron : static_cast<std::uint32_t>(place - order.begin());
    }
    const auto frozen = decision_ && layer < decision_->layers.size() ? decision_->layers[layer].frozen : 0;
    std::uint32_t frozen_before = 0;
    for (std::uint32_t i = 0; i < neuron; ++i) frozen_before += is_frozen(layer, i);
    return is_frozen(layer, neuron) ? frozen_before : frozen + neuron - frozen_before;
}

HeatmapBins HeatmapData::bins(std::uint32_t first, std::uint32_t last, std::size_t columns,
                              Pooling pooling) const {
    HeatmapBins result;
    if (layers() == 0 || widest_ == 0 || columns == 0 || first > last) return result;
    last = std::min(last, widest_ - 1);
    const std::size_t wanted = std::size_t{last} - first + 1;
    result.bin = static_cast<std::uint32_t>((wanted + columns - 1) / columns);
    result.first = first / result.bin * result.bin; // bins keep their neurons while the view is panned
    result.columns = (last - result.first) / result.bin + 1;
    result.layers = layers();
    result.values.assign(result.layers * result.columns, nan);
    for (std::size_t layer = 0; layer < result.layers; ++layer) {
        if (metric_ == Metric::Frozen)
            pool_frozen(result, layer);
        else
            pool_values(result, layer, pooling);
    }
    return result;
}

void HeatmapData::pool_frozen(HeatmapBins& bins, std::size_t layer) const {
    if (!decision_ || layer >= decision_->masks.size() || !profile_->layers[layer]) return;
    const auto& mask = decision_->masks[layer].frozen;
    const std::size_t frozen = decision_->layers[layer].frozen;
    for (std::size_t column = 0; column < bins.columns; ++column) {
        const std::size_t begin = bins.first + column * bins.bin;
        const std::size_t end = std::min<std::size_t>(begin + bins.bin, mask.size());
        if (begin >= end) return;
        const auto bits = order_ == NeuronOrder::Index ? bits_between(mask, begin, end)
                                                       : std::clamp(frozen, begin, end) - begin;
        const auto share = static_cast<float>(bits) / static_cast<float>(end - begin);
        bins.values[layer * bins.columns + column] = share;
    }
}

void HeatmapData::pool_values(HeatmapBins& bins, std::size_t layer, Pooling pooling) const {
    const auto& values = rows_[layer].values;
    for (std::size_t column = 0; column < bins.columns; ++column) {
        const std::size_t begin = bins.first + column * bins.bin;
        const std::size_t end = std::min<std::size_t>(begin + bins.bin, values.values().size());
        if (begin >= end) return;
        bins.values[layer * bins.columns + column] = pool(values.summary(begin, end), end - begin, pooling);
    }
}

void HeatmapData::measure(Row& row) {
    row.all = row.positive = nothing;
    for (float value : row.values.values()) {
        if (!std::isfinite(value)) continue;
        row.all.low = std::min<double>(row.all.low, value);
        row.all.high = std::max<double>(row.all.high, value);
        if (value > 0) row.positive.low = std::min<double>(row.positive.low, value);
    }
    if (row.all.high > 0) row.positive.high = row.all.high;
}

ValueRange HeatmapData::range(bool positive, bool clip) const {
    if (is_share(metric_)) return {0, 1};
    ValueRange whole = nothing;
    for (const auto& row : rows_) {
        const auto& part = positive ? row.positive : row.all;
        whole.low = std::min(whole.low, part.low);
        whole.high = std::max(whole.high, part.high);
    }
    if (whole.low > whole.high) return {positive ? 1e-3 : 0.0, 1};
    return clip ? percentiles(positive, whole) : whole;
}

ValueRange HeatmapData::percentiles(bool positive, const ValueRange& fallback) const {
    std::size_t total = 0;
    for (const auto& row : rows_) total += row.values.values().size();
    const std::size_t stride = std::max<std::size_t>(1, total / 20000);
    std::vector<float> sample;
    std::size_t next = 0; // in the row at hand; carries over, so that the sample is even
    for (const auto& row : rows_) {
        const auto values = row.values.values();
        for (; next < values.size(); next += stride) {
            const float value = values[next];
            if (std::isfinite(value) && (!positive || value > 0)) sample.push_back(value);
        }
        next -= values.size();
    }
    if (sample.size() < 100) return fallback;
    const auto at = [&](double share) {
        const auto place =
            sample.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sample.size() - 1));
        std::nth_element(sample.begin(), place, sample.end());
        return static_cast<double>(*place);
    };
    return {at(0.01), at(0.99)};
}

} // namespace permafrost::widgets
