// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/layer_statistics.h"

#include <memory>
#include <span>
#include <vector>

namespace permafrost::profile {

/// One layer's statistics, frozen in time, with what views and rules read computed once. Immutable.
/// All spans have one element a neuron. Variances are population variances (divisor: count(neuron)). A neuron without one
/// finite token has NaN for mean, variance and rms, and a peak of 0; layer averages leave it out.
class LayerProfile {
  public:
    explicit LayerProfile(LayerStatistics statistics);

    const LayerStatistics& statistics() const { return statistics_; }
    /// Gives the statistics back without copying them; only for a profile that nobody else holds.
    LayerStatistics release() && { return std::move(statistics_); }
    std::uint32_t neurons() const { return statistics_.neurons; }
    std::uint64_t tokens() const { return statistics_.tokens; }
    /// Tokens that entered the neuron's statistics: those seen less the non-finite ones.
    std::uint64_t count(std::size_t neuron) const;

    std::span<const float> mean() const { return mean_; }         ///< of h
    std::span<const float> variance() const { return variance_; } ///< of h
    std::span<const float> rms() const { return rms_; }           ///< of h
    std::span<const float> peak() const { return peak_; }         ///< max |h|
    std::span<const float> down_norm() const { return statistics_.down_norm; }
    /// peak * down norm: the largest length that the neuron ever added to the FFN's output.
    std::span<const float> guard_score() const { return guard_score_; }
    /// sqrt(variance) * down norm: what the output loses when the neuron is replaced by its mean.
    std::span<const float> impact() const { return impact_; }
    /// temporal_gradient(), but NaN where it is not known.
    std::span<const float> temporal_gradients() const { return temporal_gradients_; }
    /// Tokens with |h| below edge `edge` of magnitude_bins.
    std::span<const std::uint32_t> below(std::size_t edge) const {
        return std::span(statistics_.below).subspan(edge * neurons(), neurons());
    }

    // One neuron's figures.
    double gate_mean(std::size_t neuron) const;
    double gate_variance(std::size_t neuron) const;
    double up_mean(std::size_t neuron) const;
    double up_variance(std::size_t neuron) const;
    double
    temporal_gradient(std::size_t neuron) const; ///< mean |h(t) - h(t-1)|, 0 where no token has one before it
    /// Share of tokens with |h| < threshold (a lower bound between two edges).
    double low_activity(std::size_t neuron, double threshold) const;
    /// Share of the layer's (token, neuron) pairs whose |h| is not low in that sense.
    double activity(double threshold) const;

    // The layer's figures.
    double average_variance() const { return average_variance_; } ///< of h, over neurons
    double average_gate_variance() const { return average_gate_variance_; }
    double average_up_variance() const { return average_up_variance_; }
    /// Typical Euclidean norm of the FFN's output: sqrt(sum over neurons of ordinary^2 * down norm^2). `ordinary` is the neuron's
    /// rms, but at most the magnitude edge below which 99 % of its |h| lie: in many models one neuron of a layer fires by the
    /// thousand at a few tokens ("massive activations", Sun et al., 2024), and beside its plain rms everything that the layer does
    /// at all other tokens would look like nothing. Without such neurons this is the root mean square for columns and
    /// activations that are uncorrelated.
    double typical_output() const { return typical_output_; }
    /// The same without the twentieth of the neurons that contribute most, times 20/19: what the layer's neurons add in general.
    double common_output() const { return common_output_; }
    std::uint64_t non_finite() const { return non_finite_; }

  private:
    void derive_neurons();
    void derive_layer();
    double typical_square() const;
    double common_square() const;
    double ordinary_limit(std::size_t neuron) const; ///< square of that edge

    LayerStatistics statistics_;
    std::vector<float> mean_, variance_, rms_, peak_, guard_score_, impact_, temporal_gradients_;
    double average_variance_ = 0, average_gate_variance_ = 0, average_up_variance_ = 0, typical_output_ = 0,
           common_output_ = 0;
    std::uint64_t non_finite_ = 0;
};

using LayerProfilePtr = std::shared_ptr<const LayerProfile>;

} // namespace permafrost::profile
