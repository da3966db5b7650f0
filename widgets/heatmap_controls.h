// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap_data.h"

#include <QWidget>

#include <functional>

class QAction;
class QComboBox;
class QToolButton;

namespace permafrost::widgets {

/// What the heatmap shows and how.
struct HeatmapOptions {
    Metric metric = Metric::Frozen;
    Pooling pooling = Pooling::Largest;
    NeuronOrder order = NeuronOrder::Index;
    QString colormap;
    bool logarithmic = true; ///< only where the metric spans decades
    bool clip = false;       ///< colours from the 1st to the 99th percentile
};

/// The row above the heatmap: metric, pooling, scale, zoom.
class HeatmapControls : public QWidget {
    Q_OBJECT
  public:
    explicit HeatmapControls(QWidget* parent = nullptr);

    const HeatmapOptions& options() const { return options_; }
    void set_options(const HeatmapOptions& options);

  Q_SIGNALS:
    void options_changed();
    void rubber_band_toggled(bool on);
    void zoom_in_requested();
    void zoom_out_requested();
    void fit_requested();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void build_scale_menu();
    QToolButton* add_button(const QString& icon_name, const QString& text);
    void restyle();
    void edit(const std::function<void(HeatmapOptions&)>& change);

    HeatmapOptions options_;
    QComboBox* metric_ = nullptr;
    QComboBox* pooling_ = nullptr;
    QComboBox* order_ = nullptr;
    QToolButton* scale_ = nullptr;
    QAction* logarithmic_ = nullptr;
    QAction* clip_ = nullptr;
    QList<QAction*> colormaps_;
    QList<QToolButton*> buttons_;
};

} // namespace permafrost::widgets
