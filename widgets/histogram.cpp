// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace permafrost::widgets {
namespace {

constexpr int bins_per_decade = 10;
constexpr int most_decades = 14;
constexpr std::size_t linear_bins = 60;

std::vector<double> logarithmic_edges(std::span<const float> values) {
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (float value : values) {
        if (!(value > 0) || !std::isfinite(value)) continue;
        low = std::min<double>(low, value);
        high = std::max<double>(high, value);
    }
    if (high == 0) return {1e-6, 1};
    const int last = static_cast<int>(std::ceil(std::log10(high) * bins_per_decade + 1e-9));
    int first = static_cast<int>(std::floor(std::log10(low) * bins_per_decade));
    first = std::max(first, last - most_decades * bins_per_decade);
    std::vector<double> edges;
    for (int i = first; i <= std::max(last, first + 1); ++i)
        edges.push_back(std::pow(10.0, double(i) / bins_per_decade));
    return edges;
}

std::vector<double> linear_edges(std::span<const float> values) {
    double high = 0;
    for (float value : values)
        if (std::isfinite(value)) high = std::max<double>(high, value);
    if (high <= 0) high = 1;
    std::vector<double> edges(linear_bins + 1);
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = high * static_cast<double>(i) / linear_bins;
    return edges;
}

} // namespace

double Histogram::total() const { return std::accumulate(all.begin(), all.end(), 0.0); }

Histogram histogram_of(std::span<const float> values, const masks::Bitmask& frozen, bool logarithmic) {
    Histogram result;
    result.logarithmic = logarithmic;
    result.edges = logarithmic ? logarithmic_edges(values) : linear_edges(values);
    const std::size_t bins = result.edges.size() - 1;
    result.all.assign(bins, 0);
    result.frozen.assign(bins, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) continue;
        const auto after = std::upper_bound(result.edges.begin(), result.edges.end(), double(values[i]));
        const auto place = after - result.edges.begin() - 1;
        const auto bin = static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(place, 0, static_cast<std::ptrdiff_t>(bins) - 1));
        result.all[bin] += 1;
        if (i < frozen.size() && frozen.test(i)) result.frozen[bin] += 1;
    }
    return result;
}

Histogram magnitude_histogram(const profile::LayerProfile& layer) {
    namespace bins = profile::magnitude_bins;
    Histogram result;
    result.logarithmic = true;
    std::vector<double> below(bins::edge_count);
    for (std::size_t edge = 0; edge < bins::edge_count; ++edge) {
        const auto counts = layer.below(edge);
        below[edge] = std::accumulate(counts.begin(), counts.end(), 0.0);
    }
    const double step = std::pow(10.0, 1.0 / bins::per_decade);
    result.edges.push_back(bins::edges().front() / step);
    for (float edge : bins::edges()) result.edges.push_back(edge);
    result.edges.push_back(bins::edges().back() * step);
    result.all.push_back(below.front());
    for (std::size_t edge = 1; edge < bins::edge_count; ++edge)
        result.all.push_back(below[edge] - below[edge - 1]);
    const double values = static_cast<double>(layer.neurons()) * static_cast<double>(layer.tokens());
    result.all.push_back(std::max(0.0, values - static_cast<double>(layer.non_finite()) - below.back()));
    return result;
}

} // namespace permafrost::widgets
