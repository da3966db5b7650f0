// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/elementwise.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace permafrost::tensor {
namespace {

// Lanes of a sum: a fixed number of partial sums keeps the order of additions the same on every machine.
constexpr std::size_t lanes = 16;

double add_up(const std::array<double, lanes>& parts) {
    double sum = 0;
    for (const double part : parts) sum += part;
    return sum;
}

} // namespace

void softcap(float* values, float cap, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) values[i] = cap * tanh_f32(values[i] / cap);
}

void rms_norm(const float* x, const float* weight, float epsilon, std::size_t n, float* out) {
    std::array<double, lanes> parts{};
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            parts[lane] += static_cast<double>(x[i + lane]) * static_cast<double>(x[i + lane]);
    for (; i < n; ++i) parts[0] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    const auto mean_square = static_cast<float>(add_up(parts) / static_cast<double>(n));
    const float scale = 1.0f / std::sqrt(mean_square + epsilon);
    for (i = 0; i < n; ++i) out[i] = x[i] * scale * weight[i];
}

float exp_and_inverse_sum(float* row, std::size_t n) {
    std::array<float, lanes> highest;
    highest.fill(row[0]);
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            highest[lane] = row[i + lane] > highest[lane] ? row[i + lane] : highest[lane];
    for (; i < n; ++i) highest[0] = std::max(highest[0], row[i]);
    const float maximum = *std::max_element(highest.begin(), highest.end());

    // Two passes: the first is one chain of float vectors, the second one of doubles.
    for (i = 0; i < n; ++i) row[i] = exp_f32(row[i] - maximum);
    std::array<double, lanes> parts{};
    for (i = 0; i + lanes <= n; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) parts[lane] += static_cast<double>(row[i + lane]);
    for (; i < n; ++i) parts[0] += static_cast<double>(row[i]);
    return static_cast<float>(1.0 / add_up(parts));
}

} // namespace permafrost::tensor
