// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/background.h"
#include "app/gui/quality_ground.h"
#include "app/gui/session.h"
#include "widgets/quality_view.h"

#include <QObject>
#include <QTimer>

#include <mutex>
#include <optional>
#include <stop_token>

namespace permafrost::gui {

class Workbench;

/// Evaluates the present mask on held-out text, away from the GUI thread, while the quality view is visible and live: coarse
/// figures first, then sharper ones, and again from the beginning when the mask changes. A mask that was evaluated before is not
/// run again. A sweep evaluates many settings instead, until it is done or stopped. A run of the profiler goes first.
class QualityJob : public QObject {
    Q_OBJECT
  public:
    QualityJob(Workbench& workbench, widgets::QualityView* view, QObject* parent = nullptr);
    ~QualityJob() override;

    const std::vector<widgets::QualityPoint>& points() const { return points_; }
    /// Why nothing can be evaluated now; empty when it can.
    QString obstacle() const;
    /// Evaluates these settings on the text that the view has chosen; those that are known cost nothing.
    void sweep(const std::vector<quality::SweepSetting>& settings);
    void stop_sweep();
    /// What one evaluation took here; 0: not known.
    double seconds_a_setting() const { return seconds_a_setting_; }
    bool is_sweeping() const { return sweeping_; }
    /// Whether a thread still evaluates, if only until it notices that it should stop.
    bool is_busy() const { return evaluating_ > 0; }

  Q_SIGNALS:
    /// What is known of the present mask; empty when nothing is.
    void measured(const std::optional<permafrost::widgets::QualityPoint>& point);
    void sweep_began();
    void became_idle();
    /// The sweep came to its end or was stopped; empty when nothing went wrong.
    void swept(const QString& problem);

  private:
    /// One evaluation, or a sweep: what it needs, and where its thread leaves what it found.
    struct Task;

    void wish();
    void load();
    void compute();
    void start(const std::shared_ptr<Task>& task);
    void collect();
    void finish(const std::shared_ptr<Task>& task, const QString& problem);
    void stop();
    void take_kept(const quality::Sweep& kept);
    void estimate();
    bool ground_fits() const; ///< it is of this model, profile and number of windows
    bool has_ground() const;  ///< and can be used

    Workbench& workbench_;
    Session& session_;
    widgets::QualityView* view_;
    std::vector<widgets::QualityPoint> points_;
    std::optional<QualityGround> ground_;
    std::shared_ptr<Task> task_;
    bool sweeping_ = false;
    int evaluating_ = 0; ///< threads
    bool loading_ = false;
    bool estimating_ = false, estimate_again_ = false;
    double seconds_a_setting_ = 0;
    QTimer delay_, collect_;
    Background background_;
};

} // namespace permafrost::gui
