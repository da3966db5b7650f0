// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers as text that do not depend on the process's locale: a window toolkit may set one with a decimal
// comma.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace permafrost {

namespace number_text_detail {

template <class... Format>
std::string convert(double value, Format... format) {
    if (std::isnan(value)) return "nan";
    std::array<char, 400> buffer; // the longest double in fixed notation has 309 digits before the point
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format...);
    return end.ec == std::errc{} ? std::string(buffer.data(), end.ptr) : "nan";
}

} // namespace number_text_detail

/// As printf's %.<decimals>f; at most 60 decimals.
inline std::string fixed_text(double value, int decimals) {
    return number_text_detail::convert(value, std::chars_format::fixed, decimals);
}

/// As printf's %.<digits>g: 9 digits bring any float back, 17 any double.
inline std::string general_text(double value, int digits = 9) {
    return number_text_detail::convert(value, std::chars_format::general, digits);
}

/// The fewest digits that bring the same double back.
inline std::string shortest_text(double value) { return number_text_detail::convert(value); }

} // namespace permafrost
