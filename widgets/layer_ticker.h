// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace permafrost::widgets {

/// Ticks at whole layers. The heatmap has layer 0 at the top, so with `layers` > 0 coordinate y shows layer
/// layers-1-y.
class LayerTicker : public QCPAxisTicker {
  public:
    void set_flipped_layers(int layers) { layers_ = layers; }

  protected:
    double getTickStep(const QCPRange& range) override {
        return qMax(1.0, std::ceil(QCPAxisTicker::getTickStep(range)));
    }
    int getSubTickCount(double) override { return 0; }
    QVector<double> createTickVector(double step, const QCPRange& range) override {
        if (layers_ <= 0) return QCPAxisTicker::createTickVector(step, range);
        QVector<double> ticks;
        for (double layer = 0; layer < layers_; layer += step) {
            const double y = layers_ - 1 - layer;
            if (range.contains(y)) ticks.append(y);
        }
        std::reverse(ticks.begin(), ticks.end());
        return ticks;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        const auto whole = qRound(tick);
        return QString::number(layers_ > 0 ? layers_ - 1 - whole : whole);
    }

  private:
    int layers_ = 0;
};

} // namespace permafrost::widgets
