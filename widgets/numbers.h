// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers as people read them, each with its unit, written the same way in every view.
#pragma once

#include <QString>

#include <cstdint>

namespace permafrost::widgets {

inline constexpr char16_t dash[] = u"–"; ///< stands where there is no number

QString percent(double share, int decimals = 1); ///< 0.123 -> "12.3 %"
QString factor(double value);                    ///< 1.0512 -> "1.051 ×"
QString significant(double value, int digits = 4);
QString count(std::uint64_t value); ///< with the locale's group separators
QString bytes(std::uint64_t value); ///< "92.1 MB"
QString duration(double seconds);   ///< "3.2 s", "1:05 min", "2:03 h"
QString short_time(double seconds); ///< three digits: "812 µs", "12.3 ms", "1.23 s"

} // namespace permafrost::widgets
