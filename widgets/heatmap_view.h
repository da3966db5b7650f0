// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap_controls.h"
#include "widgets/text_table.h"
#include "widgets/view_data.h"

#include <QPoint>
#include <QTimer>
#include <QWidget>

#include <array>

class QCPColorMap;
class QCPColorScale;
class QCPItemLine;
class QCPItemRect;
class QCPItemStraightLine;
class QCustomPlot;
class QLabel;

namespace permafrost::widgets {

class LayerTicker;

/// Layers x neurons, layer 0 at the top. Wheel and pinch zoom neurons, Ctrl+wheel layers, dragging pans, a
/// click selects, arrow keys move the selection; a crosshair follows the pointer.
class HeatmapView : public QWidget {
    Q_OBJECT
  public:
    explicit HeatmapView(QWidget* parent = nullptr);
    ~HeatmapView() override;

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    void set_selection(const Selection& selection);
    const HeatmapOptions& options() const { return controls_->options(); }
    void set_options(const HeatmapOptions& options);

    void fit();
    void zoom(double factor);
    /// The sections of the map that were looked at before and after this one.
    void back();
    void forward();
    QCustomPlot* plot() const { return plot_; }
    const HeatmapData& data() const { return data_; }
    /// What is shown: a row a layer, a column for each column of cells.
    TextTable table() const;

  Q_SIGNALS:
    void selected(const permafrost::widgets::Selection& selection);
    void hovered(const QString& text); ///< layer, neuron, value and state under the pointer; empty outside
    void options_changed();

  protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build_plot();
    void connect_mouse();
    void restyle();
    void refresh();
    HeatmapBins shown_bins() const;
    void fill_map(const HeatmapBins& bins);
    void set_scale();
    void place_markers();
    void mark_selection(); ///< draws them at once
    void clamp_ranges();
    void move_selection(int layers, int neurons);
    void show_crosshair(const std::optional<QPoint>& at);
    void pinch(double factor, const QPointF& at);
    bool handle_gesture(QEvent* event);
    std::optional<Selection> cell_at(const QPoint& position) const;
    QString describe(const Selection& cell) const;
    void describe_for_screen_readers();

    ProfilePtr profile_;
    DecisionPtr decision_;
    Selection selection_;
    HeatmapData data_;
    HeatmapControls* controls_ = nullptr;
    QCustomPlot* plot_ = nullptr;
    QCPColorMap* map_ = nullptr;
    QCPColorScale* scale_ = nullptr;
    QCPItemRect* layer_marker_ = nullptr;
    QCPItemLine* neuron_marker_ = nullptr;
    std::array<QCPItemStraightLine*, 2> crosshair_{}; ///< follows the pointer: neuron, layer
    QSharedPointer<LayerTicker> layer_ticker_;
    QLabel* legend_ = nullptr;
    QLabel* swatch_ = nullptr;
    QTimer refresh_;
    QPoint pressed_;
    std::uint32_t bin_ = 1;
    bool data_changed_ = false;

    struct Section {
        double left, right, bottom, top;
        bool operator==(const Section&) const = default;
    };
    Section section() const;
    void remember_section();
    void go_to(std::size_t place);
    std::vector<Section> sections_; ///< a section counts when it stood still for a moment
    std::size_t place_ = 0;         ///< in sections_
    QTimer still_;
};

} // namespace permafrost::widgets
