// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/numbers.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

QString percent(double share, int decimals) {
    if (!std::isfinite(share)) return QString::fromUtf16(dash);
    return QLocale().toString(share * 100.0, 'f', decimals) + u"\u00a0%"_s;
}

QString factor(double value) {
    if (!std::isfinite(value)) return QString::fromUtf16(dash);
    return QLocale().toString(value, 'f', value < 10 ? 3 : 1) + u"\u00a0×"_s;
}

QString significant(double value, int digits) {
    if (!std::isfinite(value)) return QString::fromUtf16(dash);
    return QLocale().toString(value, 'g', digits);
}

QString count(std::uint64_t value) { return QLocale().toString(static_cast<qulonglong>(value)); }

QString bytes(std::uint64_t value) {
    return QLocale().formattedDataSize(static_cast<qint64>(value), 1, QLocale::DataSizeSIFormat);
}

QString duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return QString::fromUtf16(dash);
    if (seconds < 60) return QLocale().toString(seconds, 'f', seconds < 10 ? 1 : 0) + u"\u00a0s"_s;
    const auto whole = static_cast<qint64>(std::llround(seconds));
    const bool hours = whole >= 3600;
    const auto big = hours ? whole / 3600 : whole / 60;
    const auto small = hours ? whole / 60 % 60 : whole % 60;
    return u"%1:%2\u00a0%3"_s.arg(big).arg(small, 2, 10, QChar(u'0')).arg(hours ? u"h"_s : u"min"_s);
}

QString short_time(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return QString::fromUtf16(dash);
    const bool whole = seconds >= 0.9995, milli = seconds >= 0.9995e-3;
    const double value = seconds * (whole ? 1 : milli ? 1e3 : 1e6);
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return QLocale().toString(value, 'f', decimals) + (whole   ? u"\u00a0s"_s
                                                       : milli ? u"\u00a0ms"_s
                                                               : u"\u00a0µs"_s);
}

} // namespace permafrost::widgets
