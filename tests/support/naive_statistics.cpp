// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/naive_statistics.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace permafrost::test {
namespace {

bool is_usable(float value) { return std::fabs(value) < 0x1p22f; } // false for NaN

bool is_usable(const RawSequence& sequence, std::size_t at) {
    return is_usable(sequence.gate[at]) && is_usable(sequence.up[at]) && is_usable(sequence.h[at]);
}

struct SequenceSums {
    double h = 0, h2 = 0, g = 0, g2 = 0, u = 0, u2 = 0, transition = 0;
};

void add_token(profile::LayerStatistics& s, std::size_t neuron, std::size_t bucket, bool first, float h) {
    s.minimum[neuron] = std::min(s.minimum[neuron], h);
    s.maximum[neuron] = std::max(s.maximum[neuron], h);
    const float magnitude = std::fabs(h);
    if (first) s.first_token_peak[neuron] = std::max(s.first_token_peak[neuron], magnitude);
    const auto& edges = profile::magnitude_bins::edges();
    for (std::size_t edge = 0; edge < edges.size(); ++edge)
        if (magnitude < edges[edge]) ++s.below[edge * s.neurons + neuron];
    if (magnitude < 0.1f) ++s.low_by_position[bucket * s.neurons + neuron];
}

void add_sums(profile::LayerStatistics& s, std::size_t neuron, const SequenceSums& sums) {
    s.sum[neuron] += fixed_point::from_double(sums.h);
    s.sum_squares[neuron] += fixed_point::from_double(sums.h2);
    s.gate_sum[neuron] += fixed_point::from_double(sums.g);
    s.gate_sum_squares[neuron] += fixed_point::from_double(sums.g2);
    s.up_sum[neuron] += fixed_point::from_double(sums.u);
    s.up_sum_squares[neuron] += fixed_point::from_double(sums.u2);
    s.transition_sum[neuron] += fixed_point::from_double(sums.transition);
}

void add_neuron(profile::LayerStatistics& s, const RawSequence& sequence, std::size_t tokens,
                std::uint32_t context, std::size_t neuron) {
    SequenceSums sums;
    for (std::size_t token = 0; token < tokens; ++token) {
        const std::size_t at = token * s.neurons + neuron;
        if (!is_usable(sequence, at)) {
            ++s.non_finite[neuron];
            continue;
        }
        const double h = sequence.h[at], g = sequence.gate[at], u = sequence.up[at];
        sums.h += h;
        sums.h2 += h * h;
        sums.g += g;
        sums.g2 += g * g;
        sums.u += u;
        sums.u2 += u * u;
        if (token > 0 && is_usable(sequence, at - s.neurons))
            sums.transition += std::fabs(h - sequence.h[at - s.neurons]);
        add_token(s, neuron, token * 8 / context, token == 0, sequence.h[at]);
    }
    add_sums(s, neuron, sums);
}

} // namespace

profile::LayerStatistics naive_statistics(const std::vector<RawSequence>& sequences, std::uint32_t neurons,
                                          std::uint32_t context, const std::vector<float>& down_norm) {
    profile::LayerStatistics statistics(neurons);
    statistics.down_norm = down_norm;
    for (const auto& sequence : sequences) {
        const std::size_t tokens = sequence.h.size() / neurons;
        statistics.tokens += tokens;
        statistics.transitions += tokens > 0 ? tokens - 1 : 0;
        for (std::size_t token = 0; token < tokens; ++token)
            ++statistics.tokens_by_position[token * 8 / context];
        for (std::size_t neuron = 0; neuron < neurons; ++neuron)
            add_neuron(statistics, sequence, tokens, context, neuron);
    }
    return statistics;
}

std::uint64_t NaiveNeuron::below(float threshold) const {
    return static_cast<std::uint64_t>(std::count_if(
        values.begin(), values.end(), [&](float value) { return std::fabs(value) < threshold; }));
}

NaiveNeuron naive_neuron(const std::vector<RawSequence>& sequences, std::uint32_t neurons,
                         std::size_t neuron) {
    NaiveNeuron result;
    for (const auto& sequence : sequences)
        for (std::size_t at = neuron; at < sequence.h.size(); at += neurons)
            if (is_usable(sequence, at)) result.values.push_back(sequence.h[at]);
    result.count = result.values.size();
    long double sum = 0, squares = 0, deviations = 0;
    for (const float value : result.values) {
        sum += value;
        squares += static_cast<long double>(value) * value;
        result.peak = std::max(result.peak, std::fabs(double{value}));
    }
    const auto count = static_cast<long double>(result.count);
    const long double mean = sum / count;
    for (const float value : result.values) deviations += (value - mean) * (value - mean);
    result.mean = static_cast<double>(mean);
    result.variance = static_cast<double>(deviations / count);
    result.rms = static_cast<double>(std::sqrt(squares / count));
    return result;
}

std::vector<RawSequence> random_sequences(std::size_t sequences, std::size_t tokens, std::uint32_t neurons,
                                          std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::normal_distribution<double> normal;
    std::vector<double> spread(neurons), mean(neurons);
    for (std::size_t i = 0; i < neurons; ++i) {
        spread[i] = std::pow(10.0, -3 + 4 * uniform(random));
        mean[i] = (uniform(random) < 0.5 ? 1e-4 : 1.0) * spread[i] * normal(random);
    }
    std::vector<RawSequence> result(sequences);
    for (auto& sequence : result) {
        for (std::size_t token = 0; token < tokens; ++token) {
            for (std::size_t i = 0; i < neurons; ++i) {
                sequence.gate.push_back(static_cast<float>(normal(random)));
                sequence.up.push_back(static_cast<float>(0.5 * normal(random)));
                sequence.h.push_back(static_cast<float>(mean[i] + spread[i] * normal(random)));
            }
        }
    }
    return result;
}

std::vector<float> random_norms(std::uint32_t neurons, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<float> uniform(0.2f, 2.0f);
    std::vector<float> norms(neurons);
    for (auto& norm : norms) norm = uniform(random);
    return norms;
}

} // namespace permafrost::test
