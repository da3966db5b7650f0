// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace permafrost::widgets {

/// A column against a number, as people type it: "variance < 0.001", "frozen>=5 %".
struct ColumnCondition {
    enum class Sign { Below, AtMost, Equal, AtLeast, Above };
    QString column; ///< as typed, without spaces around
    Sign sign = Sign::Equal;
    double number = 0;

    bool holds(double value) const;
};

/// Signs are <, <=, =, >= and >; numbers have a decimal point or what the locale writes, and a % after them
/// counts for nothing. Empty when the text is no condition.
std::optional<ColumnCondition> parse_column_condition(const QString& text);

} // namespace permafrost::widgets
