// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the heatmap draws: neurons are pooled into bins of equal size (profile::ValuePyramid), so that only as
// many cells as fit the screen are drawn, and a single hot or frozen neuron among thousands still shows.
#pragma once

#include "core/profile/value_pyramid.h"
#include "widgets/metric.h"
#include "widgets/view_data.h"

#include <cstddef>
#include <vector>

namespace permafrost::widgets {

/// How the neurons of a bin become one value.
enum class Pooling { Largest, Mean, Smallest };

/// How the neurons of a layer lie along the axis.
enum class NeuronOrder { Index, Metric }; ///< by index, or largest value (frozen ones) first in each layer

/// (layer, column) values; column c holds positions first + c * bin … first + (c + 1) * bin - 1.
struct HeatmapBins {
    std::uint32_t first = 0;
    std::uint32_t bin = 1;
    std::size_t columns = 0;
    std::size_t layers = 0;
    std::vector<float> values; ///< NaN: not profiled, or no such neuron

    float at(std::size_t layer, std::size_t column) const { return values[layer * columns + column]; }
};

struct ValueRange {
    double low = 0;
    double high = 1;
};

class HeatmapData {
  public:
    /// Takes a profile's newest statistics; only layers that changed are computed again.
    void set(const ProfilePtr& profile, const DecisionPtr& decision, Metric metric,
             NeuronOrder order = NeuronOrder::Index);

    Metric metric() const { return metric_; }
    std::uint32_t layers() const;
    std::uint32_t widest() const { return widest_; }
    /// NaN where there is no value.
    float value(std::uint32_t layer, std::uint32_t neuron) const;
    bool is_frozen(std::uint32_t layer, std::uint32_t neuron) const;
    /// Which neuron of the layer lies at a position of the axis, and where a neuron lies. Positions beyond
    /// the layer's width, and layers without statistics, are what they are by index.
    std::uint32_t neuron_at(std::uint32_t layer, std::uint32_t position) const;
    std::uint32_t position_of(std::uint32_t layer, std::uint32_t neuron) const;

    /// At most `columns` bins over positions [first, last]. Shares of frozen neurons are always means.
    HeatmapBins bins(std::uint32_t first, std::uint32_t last, std::size_t columns, Pooling pooling) const;

    /// Over all values; with `clip` between the 1st and 99th percentile (from a sample). `positive`: of
    /// values above zero.
    ValueRange range(bool positive, bool clip) const;

  private:
    struct Row {
        profile::LayerProfilePtr source;
        double activation_threshold = 0;
        profile::ValuePyramid values;     ///< as they lie along the axis
        std::vector<std::uint32_t> order; ///< neuron at each position; empty: by index
        ValueRange all;                   ///< of the finite values; low above high: none
        ValueRange positive;              ///< of those above zero
    };
    void fill(Row& row, double activation_threshold) const;
    static void measure(Row& row);
    ValueRange percentiles(bool positive, const ValueRange& fallback) const;
    void pool_frozen(HeatmapBins& bins, std::size_t layer) const;
    void pool_values(HeatmapBins& bins, std::size_t layer, Pooling pooling) const;

    ProfilePtr profile_;
    DecisionPtr decision_;
    Metric metric_ = Metric::Frozen;
    NeuronOrder order_ = NeuronOrder::Index;
    std::uint32_t widest_ = 0;
    std::vector<Row> rows_;
};

} // namespace permafrost::widgets
