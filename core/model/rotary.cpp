// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/rotary.h"

#include <cmath>

namespace permafrost::model {

void rotate_heads(float* heads, std::size_t head_count, std::size_t head_size, std::size_t rotary_size,
                  RotaryPairs pairs, const float* cosines, const float* sines) {
    const std::size_t half = rotary_size / 2;
    const bool interleaved = pairs == RotaryPairs::Interleaved;
    for (std::size_t head = 0; head < head_count; ++head) {
        float* values = heads + head * head_size;
        for (std::size_t i = 0; i < half; ++i) {
            float& a = values[interleaved ? 2 * i : i];
            float& b = values[interleaved ? 2 * i + 1 : half + i];
            const float turned = a * cosines[i] - b * sines[i];
            b = a * sines[i] + b * cosines[i];
            a = turned;
        }
    }
}

void RotaryTable::fill(Angles& angles, const std::vector<float>& factors, std::uint32_t positions) const {
    const std::size_t half = rotary_.size / 2;
    if (angles.cosines.size() >= positions * half) return;
    angles.cosines.resize(positions * half);
    angles.sines.resize(positions * half);
    for (std::size_t i = 0; i < half; ++i) {
        const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(rotary_.size);
        const double factor = factors.empty() ? 1.0 : static_cast<double>(factors[i]);
        const double frequency = std::pow(rotary_.base, exponent) / (factor * rotary_.scale);
        for (std::size_t position = 0; position < positions; ++position) {
            const double angle = static_cast<double>(position) * frequency;
            angles.cosines[position * half + i] = static_cast<float>(std::cos(angle) * rotary_.magnitude);
            angles.sines[position * half + i] = static_cast<float>(std::sin(angle) * rotary_.magnitude);
        }
    }
}

void RotaryTable::prepare(std::uint32_t length) {
    if (is_long(length)) fill(long_, rotary_.long_factors, length);
    // Shorter sequences of the same wave.
    fill(short_, rotary_.factors,
         rotary_.long_factors.empty() ? length : std::min(length, rotary_.long_above));
}

std::uint64_t RotaryTable::bytes() const {
    return (short_.cosines.capacity() + short_.sines.capacity() + long_.cosines.capacity() +
            long_.sines.capacity()) *
           sizeof(float);
}

} // namespace permafrost::model
