// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/view_data.h"

#include <QWidget>

class QLabel;
class QSpinBox;

namespace permafrost::widgets {

class HistogramView;
class MaskGrid;
class NeuronsTable;
class ScatterView;

/// One layer: its figures, histogram and scatter with the thresholds, and the bitmask or the list of its neurons.
class LayerView : public QWidget {
    Q_OBJECT
  public:
    explicit LayerView(QWidget* parent = nullptr);

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    void set_selection(const Selection& selection);
    HistogramView* histogram() const { return histogram_; }
    MaskGrid* mask() const { return mask_; }
    ScatterView* scatter() const { return scatter_; }
    NeuronsTable* neurons() const { return neurons_; }

  Q_SIGNALS:
    void selected(const permafrost::widgets::Selection& selection);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    QWidget* build_mask_page();
    void show_figures();
    void show_legend();

    ProfilePtr profile_;
    DecisionPtr decision_;
    Selection selection_;
    QSpinBox* layer_ = nullptr;
    QLabel* figures_ = nullptr;
    QLabel* legend_ = nullptr;
    HistogramView* histogram_ = nullptr;
    MaskGrid* mask_ = nullptr;
    ScatterView* scatter_ = nullptr;
    NeuronsTable* neurons_ = nullptr;
};

} // namespace permafrost::widgets
