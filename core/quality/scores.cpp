// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/scores.h"

#include <algorithm>
#include <cmath>

namespace permafrost::quality {

MeanAndError mean_and_error(const std::vector<double>& values) {
    if (values.empty()) return {};
    const auto n = static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values) sum += value;
    const double mean = sum / n;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return {mean, values.size() > 1 ? std::sqrt(squares / n / (n - 1)) : 0};
}

double quantile_of_sorted(const std::vector<float>& values, double q) {
    const double place = q * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, values.size() - 1);
    const double part = place - static_cast<double>(below);
    return static_cast<double>(values[below]) * (1 - part) + static_cast<double>(values[above]) * part;
}

Evaluation summarise(const TokenScores& scores) {
    const std::vector<double> nll(scores.nll.begin(), scores.nll.end());
    const auto [mean, error] = mean_and_error(nll);
    Evaluation evaluation;
    evaluation.tokens = nll.size();
    evaluation.nll = mean;
    evaluation.perplexity = std::exp(mean);
    evaluation.perplexity_error = evaluation.perplexity * error;
    if (!nll.empty())
        evaluation.top1_accuracy =
            static_cast<double>(std::count(scores.hits.begin(), scores.hits.end(), true)) /
            static_cast<double>(nll.size());
    return evaluation;
}

Comparison compare(const TokenScores& dense, const TokenScores& masked,
                   const std::vector<float>& divergences) {
    Comparison result;
    result.masked = summarise(masked);
    const std::size_t count = dense.nll.size();
    if (count == 0) return result;
    std::vector<double> difference(count), change(count), hit_change(count);
    std::size_t agreed = 0;
    double squares = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto a = static_cast<double>(dense.nll[i]), b = static_cast<double>(masked.nll[i]);
        difference[i] = b - a;
        change[i] = std::exp(-b) - std::exp(-a);
        squares += change[i] * change[i];
        hit_change[i] = static_cast<double>(masked.hits[i]) - static_cast<double>(dense.hits[i]);
        agreed += dense.choices[i] == masked.choices[i] ? 1 : 0;
    }
    const auto n = static_cast<double>(count);
    const auto log_ratio = mean_and_error(difference);
    result.perplexity_ratio = std::exp(log_ratio.mean);
    result.perplexity_ratio_error = result.perplexity_ratio * log_ratio.error;
    result.probability_change = mean_and_error(change).mean;
    result.probability_change_rms = std::sqrt(squares / n);
    result.top1_agreement = static_cast<double>(agreed) / n;
    const double dense_accuracy = summarise(dense).top1_accuracy;
    if (dense_accuracy > 0) {
        result.accuracy_retained = result.masked.top1_accuracy / dense_accuracy;
        result.accuracy_retained_error = mean_and_error(hit_change).error / dense_accuracy;
    }

    const auto kl = mean_and_error(std::vector<double>(divergences.begin(), divergences.end()));
    result.kl_mean = kl.mean;
    result.kl_mean_error = kl.error;
    auto sorted = divergences;
    std::sort(sorted.begin(), sorted.end());
    result.kl_median = quantile_of_sorted(sorted, 0.5);
    result.kl_p90 = quantile_of_sorted(sorted, 0.90);
    result.kl_p95 = quantile_of_sorted(sorted, 0.95);
    result.kl_p99 = quantile_of_sorted(sorted, 0.99);
    result.kl_p999 = quantile_of_sorted(sorted, 0.999);
    result.kl_max = static_cast<double>(sorted.back());
    return result;
}

} // namespace permafrost::quality
