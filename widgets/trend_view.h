// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/view_data.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <vector>

class QAction;
class QCPGraph;
class QCPLegend;
class QComboBox;
class QToolButton;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;

namespace permafrost::widgets {

/// What the right axis of the trend shows of each layer.
enum class TrendQuantity {
    Speedup,  ///< upper bound, ×
    Variance, ///< of h, mean over the neurons, h²
    Activity, ///< share of (token, neuron) pairs with |h| at or above the layer's activation threshold, %
    Cliff     ///< profile::cliff_score(), 0 … 1
};

/// Another profile's frozen share under the same rule, to compare.
struct TrendOverlay {
    QString name;
    std::vector<double> frozen; ///< 0 … 1 a layer; NaN: not profiled
};

/// Frozen and saturated share (left axis, %) and a quantity of choice (right axis) over the layers, with the
/// early, mid and late bands behind, and other profiles' frozen shares over them. A click selects a layer.
class TrendView : public QWidget {
    Q_OBJECT
  public:
    explicit TrendView(QWidget* parent = nullptr);
    ~TrendView() override;

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    void set_selection(const Selection& selection);
    void set_overlays(const std::vector<TrendOverlay>& overlays);
    TrendQuantity quantity() const;
    void set_quantity(TrendQuantity quantity);
    QCustomPlot* plot() const { return plot_; }

  Q_SIGNALS:
    void selected(const permafrost::widgets::Selection& selection);
    void hovered(const QString& text);
    void compare_requested(); ///< choose another profile to lay over
    void compare_ended();     ///< take them all away

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
    QWidget* build_controls();
    void draw_overlays();
    double right_value(std::size_t layer);
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
    QCPGraph* right_ = nullptr; ///< in quantity()
    QCPLegend* legend_ = nullptr;
    struct Counted {
        profile::LayerProfilePtr source;
        TrendQuantity quantity{};
        double parameter = 0; ///< activation threshold, or share of inactive tokens
        double value = 0;
    };
    std::vector<Counted> counted_; ///< of each layer, last: dragging another threshold is free
    std::vector<TrendOverlay> overlays_;
    std::vector<QCPGraph*> overlay_graphs_;
    QComboBox* quantity_ = nullptr;
    QToolButton* compare_ = nullptr;
    QAction* end_compare_ = nullptr;
    QCPItemStraightLine* marker_ = nullptr;
    std::array<QCPItemRect*, 3> bands_{};
    std::array<QCPItemText*, 3> band_names_{};
    QTimer refresh_;
};

} // namespace permafrost::widgets
