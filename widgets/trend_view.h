// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/view_data.h"

#include <QTimer>
#include <QWidget>

class QCPGraph;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;

namespace permafrost::widgets {

/// Frozen and saturated share (left axis, %) and speed-up (right axis, ×) over the layers, with the early,
/// mid and late bands behind. A click selects a layer.
class TrendView : public QWidget {
    Q_OBJECT
  public:
    explicit TrendView(QWidget* parent = nullptr);
    ~TrendView() override;

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    void set_selection(const Selection& selection);
    QCustomPlot* plot() const { return plot_; }

  Q_SIGNALS:
    void selected(const permafrost::widgets::Selection& selection);
    void hovered(const QString& text);

  protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build_plot();
    void connect_mouse();
    void restyle();
    void refresh();
    void place_bands();
    void mark_selection();
    int layer_at(double pixel) const;
    void select_layer(int layer);

    ProfilePtr profile_;
    DecisionPtr decision_;
    Selection selection_;
    QCustomPlot* plot_ = nullptr;
    QCPGraph* frozen_ = nullptr;
    QCPGraph* saturated_ = nullptr;
    QCPGraph* speedup_ = nullptr;
    QCPItemStraightLine* marker_ = nullptr;
    std::array<QCPItemRect*, 3> bands_{};
    std::array<QCPItemText*, 3> band_names_{};
    QTimer refresh_;
};

} // namespace permafrost::widgets
