// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace permafrost::profile {

/// What a run of values comes to.
struct ValueSummary {
    float largest;  ///< minus infinity for no values
    float smallest; ///< infinity for no values
    double sum;
};

/// Levels of detail over a row of values: any run of them is summed up from few blocks, so that a picture of
/// 80 x 28 672 neurons costs what its pixels cost, and the one value that stands out is never lost. Values
/// that are NaN count in no extreme and make the sum NaN.
class ValuePyramid {
  public:
    ValuePyramid() = default;
    explicit ValuePyramid(std::vector<float> values);

    std::span<const float> values() const { return values_; }
    /// Of values [begin, end); end at most values().size(). The sum's rounding depends on the run alone.
    ValueSummary summary(std::size_t begin, std::size_t end) const;

  private:
    std::vector<float> values_;
    std::vector<std::vector<ValueSummary>> levels_; ///< levels_[k]: blocks of `fan` to the power k + 1 values
};

/// Positions of `values` from the largest to the smallest; equal ones in their order, NaN last.
std::vector<std::uint32_t> descending_order(std::span<const float> values);

} // namespace permafrost::profile
