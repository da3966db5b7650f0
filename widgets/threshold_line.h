// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QString>

class QCPItemEllipse;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;

namespace permafrost::widgets {

/// A vertical threshold in a plot: a 2 px accent line, a grip of 24 px and the value beside it. It lives in
/// the plot's overlay layer, which is replotted alone. The plot owns the parts.
class ThresholdLine {
  public:
    explicit ThresholdLine(QCustomPlot& plot);

    void place(double value, const QString& text);
    void hide();
    bool is_shown() const { return shown_; }
    /// Whether a pointer there would take hold of the line.
    bool is_under(const QPoint& position) const;
    /// The axis value at a pixel, kept inside the axis rectangle.
    double value_at(int x) const;
    void restyle();

  private:
    void show(bool on);

    QCustomPlot& plot_;
    QCPItemStraightLine* line_;
    QCPItemEllipse* grip_;
    QCPItemText* text_;
    double value_ = 0;
    bool shown_ = false;
};

} // namespace permafrost::widgets
