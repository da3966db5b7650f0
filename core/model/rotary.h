// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_config.h"

#include <cstdint>
#include <vector>

namespace permafrost::model {

/// Turns the first `rotary_size` values of each head of one token's Q or K.
/// `cosines`, `sines`: (rotary_size / 2) of the token's position.
void rotate_heads(float* heads, std::size_t head_count, std::size_t head_size, std::size_t rotary_size,
                  RotaryPairs pairs, const float* cosines, const float* sines);

/// Cosines and sines of one rotary embedding, for every position up to the longest sequence seen.
class RotaryTable {
  public:
    explicit RotaryTable(Rotary rotary) : rotary_(std::move(rotary)) {}

    /// Makes room for sequences of `length` tokens.
    void prepare(std::uint32_t length);

    std::size_t size() const { return rotary_.size; }
    /// (size / 2) of a position in a sequence of `length` tokens.
    const float* cosines(std::uint32_t position, std::uint32_t length) const {
        return angles(length).cosines.data() + position * (size() / 2);
    }
    const float* sines(std::uint32_t position, std::uint32_t length) const {
        return angles(length).sines.data() + position * (size() / 2);
    }
    std::uint64_t bytes() const;

  private:
    struct Angles {
        std::vector<float> cosines, sines; ///< (position, size / 2)
    };
    bool is_long(std::uint32_t length) const {
        return !rotary_.long_factors.empty() && length > rotary_.long_above;
    }
    const Angles& angles(std::uint32_t length) const { return is_long(length) ? long_ : short_; }
    void fill(Angles& angles, const std::vector<float>& factors, std::uint32_t positions) const;

    Rotary rotary_;
    Angles short_, long_;
};

} // namespace permafrost::model
