// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace permafrost::widgets {

/// Ticks of a logarithmic axis, 10⁻³ rather than 1E-03: QCustomPlot finds the exponent only in the C locale's spelling.
class DecadeTicker : public QCPAxisTickerLog {
  protected:
    QString getTickLabel(double tick, const QLocale&, QChar format, int precision) override {
        return QCPAxisTickerLog::getTickLabel(tick, QLocale::c(), format, precision);
    }
};

/// A ticker for an axis that may be logarithmic.
inline QSharedPointer<QCPAxisTicker> ticker_for(bool logarithmic) {
    if (logarithmic) return QSharedPointer<DecadeTicker>::create();
    return QSharedPointer<QCPAxisTicker>::create();
}

} // namespace permafrost::widgets
