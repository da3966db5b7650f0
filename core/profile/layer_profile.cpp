// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/layer_profile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace permafrost::profile {
namespace {

long double on_grid(Int128 sum) { return static_cast<long double>(sum) * 0x1p-60L; }

double mean_of(Int128 sum, std::uint64_t count) {
    if (count == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(on_grid(sum) / static_cast<long double>(count));
}

// The sums are exact, so what cancels in the difference is only the rounding to 64 significant bits: a
// variance is trusted down to 1e-19 times the square of the mean.
double variance_of(Int128 sum, Int128 sum_squares, std::uint64_t count) {
    if (count == 0) return std::numeric_limits<double>::quiet_NaN();
    const auto n = static_cast<long double>(count);
    const long double total = on_grid(sum);
    const long double squared_deviations = on_grid(sum_squares) - total * (total / n);
    return static_cast<double>(std::max(squared_deviations, 0.0L) / n);
}

/// Mean of what `figure` says of each neuron; neurons without a finite figure do not count.
template <class Figure>
double average_over(std::size_t neurons, Figure figure) {
    double total = 0;
    std::size_t counted = 0;
    for (std::size_t i = 0; i < neurons; ++i) {
        const double value = figure(i);
        if (!std::isfinite(value)) continue;
        total += value;
        ++counted;
    }
    return counted == 0 ? 0 : total / static_cast<double>(counted);
}

// Adding +0 turns -0 into +0: equal statistics have equal bytes however their parts were put together.
void drop_negative_zeros(std::vector<float>& values) {
    for (float& value : values) value += 0.0f;
}

} // namespace

LayerProfile::LayerProfile(LayerStatistics statistics) : statistics_(std::move(statistics)) {
    drop_negative_zeros(statistics_.minimum);
    drop_negative_zeros(statistics_.maximum);
    drop_negative_zeros(statistics_.first_token_peak);
    derive_neurons();
    derive_layer();
}

void LayerProfile::derive_neurons() {
    const std::size_t count_of_neurons = neurons();
    for (auto* values : {&mean_, &variance_, &rms_, &peak_, &guard_score_, &impact_, &temporal_gradients_})
        values->resize(count_of_neurons);
    for (std::size_t i = 0; i < count_of_neurons; ++i) {
        const std::uint64_t n = count(i);
        const float norm = statistics_.down_norm[i];
        const double variance = variance_of(statistics_.sum[i], statistics_.sum_squares[i], n);
        mean_[i] = static_cast<float>(mean_of(statistics_.sum[i], n));
        variance_[i] = static_cast<float>(variance);
        rms_[i] = static_cast<float>(std::sqrt(std::max(mean_of(statistics_.sum_squares[i], n), 0.0)));
        if (n == 0) rms_[i] = mean_[i];
        peak_[i] =
            n == 0 ? 0.0f : std::max(std::fabs(statistics_.minimum[i]), std::fabs(statistics_.maximum[i]));
        guard_score_[i] = peak_[i] * norm;
        impact_[i] = static_cast<float>(std::sqrt(variance)) * norm;
        const auto transitions = n == 0 ? 0 : statistics_.transitions;
        temporal_gradients_[i] = static_cast<float>(mean_of(statistics_.transition_sum[i], transitions));
    }
}

void LayerProfile::derive_layer() {
    average_variance_ = average_over(neurons(), [this](std::size_t i) { return double{variance_[i]}; });
    average_gate_variance_ = average_over(neurons(), [this](std::size_t i) { return gate_variance(i); });
    average_up_variance_ = average_over(neurons(), [this](std::size_t i) { return up_variance(i); });
    typical_output_ = std::sqrt(typical_square());
    common_output_ = std::sqrt(common_square());
    non_finite_ =
        std::accumulate(statistics_.non_finite.begin(), statistics_.non_finite.end(), std::uint64_t{0});
}

double LayerProfile::typical_square() const {
    constexpr double looked_at = 0.01; // of the sum: less changes nothing, and the edges are slow to read
    const auto part = [this](std::size_t i, double square) {
        const double norm = statistics_.down_norm[i];
        const double value = square * norm * norm;
        return std::isfinite(value) ? value : 0.0;
    };
    double whole = 0;
    for (std::size_t i = 0; i < neurons(); ++i) whole += part(i, double{rms_[i]} * rms_[i]);
    double squares = 0;
    for (std::size_t i = 0; i < neurons(); ++i) {
        const double square = double{rms_[i]} * rms_[i];
        const double all = part(i, square);
        squares += all > looked_at * whole ? part(i, std::min(square, ordinary_limit(i))) : all;
    }
    return squares;
}

double LayerProfile::common_square() const {
    std::vector<double> squares;
    for (std::size_t i = 0; i < neurons(); ++i) {
        const double part = double{rms_[i]} * double{statistics_.down_norm[i]};
        if (std::isfinite(part)) squares.push_back(part * part);
    }
    const auto kept = squares.size() - squares.size() / 20;
    if (kept == 0) return 0;
    const auto end = squares.begin() + static_cast<std::ptrdiff_t>(kept);
    std::nth_element(squares.begin(), end - 1, squares.end());
    std::sort(squares.begin(), end); // a sum in one order
    return std::accumulate(squares.begin(), end, 0.0) * static_cast<double>(squares.size()) /
           static_cast<double>(kept);
}

double LayerProfile::ordinary_limit(std::size_t neuron) const {
    const auto& edges = magnitude_bins::edges();
    for (std::size_t edge = 0; edge < edges.size(); ++edge)
        if (100 * std::uint64_t{below(edge)[neuron]} >= 99 * count(neuron))
            return double{edges[edge]} * edges[edge];
    return std::numeric_limits<double>::infinity();
}

std::uint64_t LayerProfile::count(std::size_t neuron) const {
    const std::uint64_t left_out = statistics_.non_finite[neuron];
    return left_out < tokens() ? tokens() - left_out : 0;
}

double LayerProfile::gate_mean(std::size_t neuron) const {
    return mean_of(statistics_.gate_sum[neuron], count(neuron));
}

double LayerProfile::gate_variance(std::size_t neuron) const {
    return variance_of(statistics_.gate_sum[neuron], statistics_.gate_sum_squares[neuron], count(neuron));
}

double LayerProfile::up_mean(std::size_t neuron) const {
    return mean_of(statistics_.up_sum[neuron], count(neuron));
}

double LayerProfile::up_variance(std::size_t neuron) const {
    return variance_of(statistics_.up_sum[neuron], statistics_.up_sum_squares[neuron], count(neuron));
}

double LayerProfile::temporal_gradient(std::size_t neuron) const {
    return statistics_.transitions == 0
               ? 0.0
               : mean_of(statistics_.transition_sum[neuron], statistics_.transitions);
}

double LayerProfile::low_activity(std::size_t neuron, double threshold) const {
    const int edge = magnitude_bins::edge_at_or_below(threshold);
    const std::uint64_t n = count(neuron);
    if (edge < 0 || n == 0) return 0;
    return static_cast<double>(below(static_cast<std::size_t>(edge))[neuron]) / static_cast<double>(n);
}

double LayerProfile::activity(double threshold) const {
    const int edge = magnitude_bins::edge_at_or_below(threshold);
    std::uint64_t seen = 0, inactive = 0;
    for (std::size_t neuron = 0; neuron < neurons(); ++neuron) seen += count(neuron);
    if (edge >= 0)
        for (const auto tokens : below(static_cast<std::size_t>(edge))) inactive += tokens;
    return seen == 0 ? 0 : 1 - static_cast<double>(inactive) / static_cast<double>(seen);
}

} // namespace permafrost::profile
