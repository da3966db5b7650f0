// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/rule_fields.h"
#include "widgets/view_data.h"

#include <QTimer>
#include <QWidget>

class QCPGraph;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemTracer;
class QCustomPlot;

namespace permafrost::widgets {

/// |mean| against variance of the selected layer's neurons, with the region that the two criteria cut out. Its edges are the
/// thresholds and can be dragged; a click selects the nearest neuron.
class ScatterView : public QWidget {
    Q_OBJECT
  public:
    explicit ScatterView(QWidget* parent = nullptr);

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    void set_selection(const Selection& selection);
    QCustomPlot* plot() const { return plot_; }

  Q_SIGNALS:
    void gesture_began();
    void edited(permafrost::widgets::RuleField field, double value);
    void selected(const permafrost::widgets::Selection& selection);
    void hovered(const QString& text);

  protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    void build_plot();
    void connect_mouse();
    void restyle();
    void refresh();
    void show_region();
    void mark_selection();
    /// The edge under the pointer, if any.
    std::optional<RuleField> edge_at(const QPoint& position) const;
    std::optional<std::uint32_t> neuron_at(const QPoint& position) const;

    ProfilePtr profile_;
    DecisionPtr decision_;
    Selection selection_;
    QCustomPlot* plot_ = nullptr;
    QCPGraph *active_ = nullptr, *guarded_ = nullptr, *frozen_ = nullptr;
    QCPItemRect* region_ = nullptr;
    QCPItemStraightLine *variance_ = nullptr, *mean_ = nullptr;
    QCPItemTracer* marker_ = nullptr;
    QTimer refresh_;
    std::optional<RuleField> dragged_;
    QPoint pressed_;
};

} // namespace permafrost::widgets
