// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

namespace permafrost {

__extension__ typedef __int128 Int128;

/// Sums that do not depend on the order of their parts: each part is rounded to a grid of 2^-60 and added as a
/// 128-bit integer. The sum's magnitude may reach 2^66; `fits_grid` says whether a part is small enough.
namespace fixed_point {

inline constexpr int fraction_bits = 60;
inline constexpr double scale = 0x1p60;

inline bool fits_grid(double part) { return std::fabs(part) < 0x1p60; }

/// `part` must fit the grid.
inline Int128 from_double(double part) {
    // A double has 53 significant bits: above 2^53 it is an integer already, below that the scaled value is split so
    // that each half converts exactly.
    const double high = std::trunc(part);
    const double low = std::nearbyint((part - high) * scale);
    return (static_cast<Int128>(static_cast<std::int64_t>(high)) * (Int128{1} << fraction_bits)) +
           static_cast<Int128>(static_cast<std::int64_t>(low));
}

inline double to_double(Int128 sum) { return static_cast<double>(sum) * 0x1p-60; }

} // namespace fixed_point
} // namespace permafrost
