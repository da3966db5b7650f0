// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/benchmark_result.h"
#include "widgets/quality_point.h"
#include "widgets/sweep.h"
#include "widgets/view_data.h"

#include <QFrame>

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace permafrost::widgets {

class VerdictBadge;

/// The first thing a reviewer sees: word, one sentence why, and three numbers: estimated, measured, quality.
class VerdictCard : public QFrame {
    Q_OBJECT
  public:
    explicit VerdictCard(QWidget* parent = nullptr);

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    /// What the present mask was measured to cost; empty when it was not.
    void set_quality(const std::optional<QualityPoint>& point);
    /// How fast the present mask was measured to be, or an earlier one; nothing when none was.
    void set_speed(const std::optional<MeasuredSpeed>& speed);
    /// Whether it can be measured now, and whether something is being measured.
    void set_measurable(bool possible, bool measuring);
    /// What would make the verdict another; forgotten with the next decision.
    void set_changes(const DecisionPtr& decision, const std::vector<VerdictChange>& changes);
    /// What is measured of the present mask, and whether that is good enough.
    const verdict::QualityGate& gate() const { return gate_; }
    QString word() const;
    QString estimate() const;

  Q_SIGNALS:
    void measure_requested();

  protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void show_quality();
    void show_speed();
    void add_measure_button();
    void show_verdict();
    void keep_whole();
    void size_figures();
    struct Tile {
        QLabel* figure = nullptr;
        QLabel* note = nullptr;
        QBoxLayout* line = nullptr; ///< of the figure
    };
    Tile add_tile(QHBoxLayout* row, const QString& title, const QString& id);

    VerdictBadge* badge_ = nullptr;
    QLabel* sentence_ = nullptr;
    Tile estimated_, measured_, quality_;
    bool any_ = false; ///< there is something to judge
    DecisionPtr decision_;
    verdict::QualityGate gate_;
    std::optional<QualityPoint> point_;
    std::optional<MeasuredSpeed> speed_;
    QPushButton* measure_ = nullptr;
    bool measuring_ = false;
    std::vector<VerdictChange> changes_;
};

} // namespace permafrost::widgets
