// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/benchmark_result.h"

#include <QWidget>

#include <optional>

class QBoxLayout;
class QLabel;
class QTabBar;

namespace permafrost::widgets {

class BenchmarkPlot;
class BenchmarkTable;

/// The mask that is chosen now.
struct PresentMask {
    std::string identity; ///< masks::mask_identity(); empty: there is none, or nothing to compare it with
    std::optional<double> frozen_share;
    bool operator==(const PresentMask&) const = default;
};

/// Plot and table of timings: side by side where there is room, one below the other in a tall panel, else one at a time.
class BenchmarkFigures : public QWidget {
    Q_OBJECT
  public:
    explicit BenchmarkFigures(QWidget* parent = nullptr);

    void set_rows(const std::vector<BenchmarkRow>& rows, const PresentMask& present);
    BenchmarkTable* table() const { return table_; }
    BenchmarkPlot* plot() const { return plot_; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void arrange();

    std::string mask_;
    QTabBar* which_ = nullptr;
    QBoxLayout* sides_ = nullptr;
    QWidget* numbers_ = nullptr;
    BenchmarkPlot* plot_ = nullptr;
    BenchmarkTable* table_ = nullptr;
    QLabel* row_ = nullptr;
};

} // namespace permafrost::widgets
