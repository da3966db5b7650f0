// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/sweep.h"
#include "widgets/threshold_line.h"

#include <QWidget>

class QComboBox;
class QCPGraph;
class QCPItemStraightLine;
class QCustomPlot;
class QLabel;

namespace permafrost::widgets {

/// Frozen share and estimated speed-up against one threshold, with the threshold itself as a line that can be
/// dragged, and a sentence that says where the verdict would change.
class SweepView : public QWidget {
    Q_OBJECT
  public:
    explicit SweepView(QWidget* parent = nullptr);
    ~SweepView() override;

    RuleField field() const;
    /// Takes effect when the curve is of the shown field.
    void set_curve(RuleField field, std::vector<SweepPoint> points);
    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    QCustomPlot* plot() const { return plot_; }
    QString sentence() const;

  Q_SIGNALS:
    void field_changed();
    void became_visible();
    void gesture_began();
    void edited(permafrost::widgets::RuleField field, double value);

  protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void build_plot();
    void connect_mouse();
    void restyle();
    void follow_rule(const masks::FreezeRule& rule);
    void show_curve();
    void show_threshold();
    double scale() const; ///< shares are shown in percent

    DecisionPtr decision_;
    std::vector<SweepPoint> points_;
    QComboBox* field_ = nullptr;
    QLabel* sentence_ = nullptr;
    QCustomPlot* plot_ = nullptr;
    QCPGraph* frozen_ = nullptr;
    QCPGraph* speedup_ = nullptr;
    std::unique_ptr<ThresholdLine> line_;
    std::vector<RuleField> rule_fields_; ///< of the rule that was shown last
    bool dragging_ = false;
};

} // namespace permafrost::widgets
