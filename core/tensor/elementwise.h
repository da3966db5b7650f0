// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace permafrost::tensor {

/// e^x to 2 units in the last place, for x clamped to [-87, 88]; NaN stays NaN. Plain arithmetic, so that compilers
/// turn loops over it into vector code with the same result for every element.
/// Cody and Waite's range reduction with a minimax polynomial on [-ln 2 / 2, ln 2 / 2].
inline float exp_f32(float x) {
    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    constexpr float round_to_integer = 12582912.0f; // 1.5 * 2^23: adding it rounds to the nearest integer
    const float n = (x * 1.44269504088896341f + round_to_integer) - round_to_integer;
    const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    return p * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
}

/// x * sigmoid(x)
inline float silu_f32(float x) { return x / (1.0f + exp_f32(-x)); }

/// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))), which equals x * sigmoid(2 * sqrt(2 / pi) * (…)).
inline float gelu_tanh_f32(float x) {
    constexpr float twice_root = 1.5957691216057308f;
    return x / (1.0f + exp_f32(-twice_root * (x + 0.044715f * x * x * x)));
}

/// tanh(x): an odd polynomial below 0.625 and (1 - e^-2x) / (1 + e^-2x) above (Cephes' tanhf); NaN stays NaN.
inline float tanh_f32(float x) {
    const float magnitude = x < 0 ? -x : x;
    const float decay = exp_f32(-2.0f * magnitude);
    const float far = (1.0f - decay) / (1.0f + decay);
    const float z = x * x;
    float p = -5.70498872745e-3f;
    p = p * z + 2.06390887954e-2f;
    p = p * z - 5.37397155531e-2f;
    p = p * z + 1.33314422036e-1f;
    p = p * z - 3.33332819422e-1f;
    const float near = p * z * x + x;
    return magnitude < 0.625f ? near : (x < 0 ? -far : far);
}

/// Replaces each of n values by cap * tanh(value / cap).
void softcap(float* values, float cap, std::size_t n);

/// out = x / sqrt(mean(x^2) + epsilon) * weight; all of size n. out may be x.
void rms_norm(const float* x, const float* weight, float epsilon, std::size_t n, float* out);

/// Replaces row[0, n) by exp(row - max) and returns 1 / sum.
float exp_and_inverse_sum(float* row, std::size_t n);

} // namespace permafrost::tensor
