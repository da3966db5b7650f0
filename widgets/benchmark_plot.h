// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/benchmark_result.h"

#include <QWidget>

class QCPErrorBars;
class QCPGraph;
class QCPItemStraightLine;
class QCustomPlot;

namespace permafrost::widgets {

/// Measured speed-up against the frozen share, for masked and for compacted layers, below the ideal 1/(1 - s). The bars reach from the
/// 10th to the 90th percentile of the turns. A line and rings mark the present mask.
class BenchmarkPlot : public QWidget {
    Q_OBJECT
  public:
    explicit BenchmarkPlot(QWidget* parent = nullptr);

    /// `mask`: identity of the present mask, `share`: of the neurons that it freezes; empty without one.
    void set_rows(std::vector<BenchmarkRow> rows, const std::string& mask, std::optional<double> share);
    QCustomPlot* plot() const { return plot_; }

  Q_SIGNALS:
    void hovered(const QString& text);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    struct Series {
        QCPGraph* graph = nullptr;
        QCPErrorBars* spread = nullptr;
    };
    Series add_series(const QString& name);
    void fill(const Series& series, BenchmarkWay way);
    void show_rows();
    void show_ranges();
    void hover(const QPoint& place);
    void restyle();

    std::vector<BenchmarkRow> rows_;
    std::string mask_;
    std::optional<double> share_;
    QCustomPlot* plot_ = nullptr;
    QCPGraph* ideal_ = nullptr;
    Series masked_, compacted_;
    QCPGraph* present_ = nullptr;
    QCPItemStraightLine* line_ = nullptr;
};

} // namespace permafrost::widgets
