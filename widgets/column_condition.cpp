// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/column_condition.h"

#include <QLocale>
#include <QRegularExpression>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;
using Sign = ColumnCondition::Sign;

std::optional<double> number_of(QString text) {
    if (text.endsWith(u'%')) text.chop(1);
    text = text.trimmed();
    bool ok = false;
    double number = QLocale::c().toDouble(text, &ok);
    if (!ok) number = QLocale().toDouble(text, &ok);
    return ok ? std::optional(number) : std::nullopt;
}

Sign sign_of(QStringView text) {
    if (text == u"<") return Sign::Below;
    if (text == u"<=") return Sign::AtMost;
    if (text == u">=") return Sign::AtLeast;
    if (text == u">") return Sign::Above;
    return Sign::Equal;
}

} // namespace

bool ColumnCondition::holds(double value) const {
    switch (sign) {
    case Sign::Below:
        return value < number;
    case Sign::AtMost:
        return value <= number;
    case Sign::AtLeast:
        return value >= number;
    case Sign::Above:
        return value > number;
    case Sign::Equal:
        break;
    }
    return value == number;
}

std::optional<ColumnCondition> parse_column_condition(const QString& text) {
    static const QRegularExpression shape(u"^\\s*([^<>=]*[^<>=\\s])\\s*(<=|>=|<|>|=)\\s*([^<>=]+)$"_s);
    const auto match = shape.match(text);
    if (!match.hasMatch()) return std::nullopt;
    const auto number = number_of(match.captured(3).trimmed());
    if (!number) return std::nullopt;
    return ColumnCondition{match.captured(1), sign_of(match.capturedView(2)), *number};
}

} // namespace permafrost::widgets
