// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/running_softmax.h"

#include "core/tensor/elementwise.h"

#include <algorithm>
#include <array>

namespace permafrost::quality {
namespace {

// Partial sums in a fixed number of lanes: vector code whose order of additions is the same everywhere.
constexpr std::size_t lanes = 16;

template <class Term>
double sum_of(std::size_t count, Term term) {
    std::array<double, lanes> parts{};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) parts[lane] += term(i + lane);
    for (; i < count; ++i) parts[0] += term(i);
    double sum = 0;
    for (const double part : parts) sum += part;
    return sum;
}

float highest_of(const float* values, std::size_t count) {
    std::array<float, lanes> highest;
    highest.fill(values[0]);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            highest[lane] = values[i + lane] > highest[lane] ? values[i + lane] : highest[lane];
    for (; i < count; ++i) highest[0] = std::max(highest[0], values[i]);
    return *std::max_element(highest.begin(), highest.end());
}

} // namespace

double RunningSoftmax::add(const float* logits, std::size_t count, std::size_t first_token,
                           text::TokenId target, float* exponentials) {
    const float highest = highest_of(logits, count);
    if (highest > best) {
        best = highest;
        best_token = static_cast<text::TokenId>(
            first_token + static_cast<std::size_t>(std::find(logits, logits + count, highest) - logits));
    }
    const double before = maximum;
    maximum = std::max(maximum, static_cast<double>(highest));
    const auto shift = static_cast<float>(maximum);
    for (std::size_t i = 0; i < count; ++i) exponentials[i] = tensor::exp_f32(logits[i] - shift);
    const double rescale = sum == 0 ? 0 : std::exp(before - maximum);
    sum = sum * rescale + sum_of(count, [&](std::size_t i) { return static_cast<double>(exponentials[i]); });
    const auto wanted = static_cast<std::size_t>(target);
    if (target >= 0 && wanted >= first_token && wanted < first_token + count)
        target_logit = static_cast<double>(logits[wanted - first_token]);
    return rescale;
}

void RunningDivergence::add(const float* a, const float* b, std::size_t count, const float* exponentials,
                            double rescale) {
    cross = cross * rescale + sum_of(count, [&](std::size_t i) {
                return static_cast<double>(exponentials[i]) *
                       (static_cast<double>(a[i]) - static_cast<double>(b[i]));
            });
}

} // namespace permafrost::quality
