// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/view_data.h"

#include <QWidget>

class QLabel;
class QSpinBox;

namespace permafrost::widgets {

class HistogramView;
class MaskGrid;

/// One layer: its figures, the histogram with the threshold line, and the bitmask.
class LayerView : public QWidget {
    Q_OBJECT
  public:
    explicit LayerView(QWidget* parent = nullptr);

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    void set_selection(const Selection& selection);
    HistogramView* histogram() const { return histogram_; }
    MaskGrid* mask() const { return mask_; }

  Q_SIGNALS:
    void selected(const permafrost::widgets::Selection& selection);

  protected:
    void changeEvent(QEvent* event) override;

  private:
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
};

} // namespace permafrost::widgets
