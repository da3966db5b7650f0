// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/histogram.h"
#include "widgets/rule_fields.h"
#include "widgets/threshold_line.h"
#include "widgets/view_data.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QCPGraph;
class QCustomPlot;

namespace permafrost::widgets {

/// Histogram and cumulative curve of a statistic of the selected layer, with the threshold that cuts it as a
/// line that can be dragged or moved with the arrow keys.
class HistogramView : public QWidget {
    Q_OBJECT
  public:
    explicit HistogramView(QWidget* parent = nullptr);
    ~HistogramView() override;

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    void set_selection(const Selection& selection);
    /// The threshold that the shown statistic is cut by.
    std::optional<RuleField> field() const;
    /// Shows the statistic that the threshold cuts.
    void show_field(RuleField field);
    QCustomPlot* plot() const { return plot_; }

  Q_SIGNALS:
    void gesture_began();
    void edited(permafrost::widgets::RuleField field, double value);
    void hovered(const QString& text);

  protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void build_plot();
    void connect_mouse();
    void restyle();
    void refresh();
    Histogram compute() const;
    void show_histogram(const Histogram& histogram);
    void place_threshold();
    void drag_to(double value);
    double shown_threshold() const; ///< in the axis's unit
    bool shows_tokens() const;
    std::optional<Metric> metric() const;
    double axis_scale() const; ///< shares are shown in percent

    ProfilePtr profile_;
    DecisionPtr decision_;
    Selection selection_;
    QComboBox* statistic_ = nullptr;
    QCustomPlot* plot_ = nullptr;
    QCPGraph* all_ = nullptr;
    QCPGraph* frozen_ = nullptr;
    QCPGraph* cumulative_ = nullptr;
    std::unique_ptr<ThresholdLine> line_;
    QTimer refresh_;
    bool dragging_ = false;
};

} // namespace permafrost::widgets
