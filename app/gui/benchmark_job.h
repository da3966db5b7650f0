// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/background.h"
#include "app/gui/benchmark_plan.h"
#include "app/gui/session.h"
#include "widgets/benchmark_view.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace permafrost::gui {

class QualityJob;
class Workbench;

/// Times the open model's feed-forward layers when it is asked to, alone: the evaluation of quality is on hold meanwhile, and a run of
/// the profiler ends it. What was timed is kept and shown again when the model is opened.
class BenchmarkJob : public QObject {
    Q_OBJECT
  public:
    BenchmarkJob(Workbench& workbench, QualityJob& quality, widgets::BenchmarkView* view,
                 QObject* parent = nullptr);
    ~BenchmarkJob() override;

    /// Null without a model.
    const widgets::BenchmarkResultsPtr& results() const { return results_; }
    /// Why nothing can be measured now; empty when it can.
    QString obstacle() const;
    bool is_measuring() const { return task_ != nullptr; }
    void measure(const widgets::BenchmarkRequest& request);
    void cancel();

  Q_SIGNALS:
    /// What is known of the present mask's speed; nothing when no mask was measured.
    void measured(const std::optional<permafrost::widgets::MeasuredSpeed>& speed);
    void state_changed(); ///< whether something can be measured, or is being measured

  private:
    /// One measurement: what it needs, and where its thread leaves what it found.
    struct Task;

    struct State {
        QString obstacle;
        bool measuring = false, opening = false;
        bool operator==(const State&) const = default;
    };

    void follow();
    void load();
    void begin();
    void collect();
    void finish(const QString& problem);
    void show_present();
    bool has_model() const;
    bool has_mask() const;
    bool is_of_the_open_model(const formats::ModelFilePtr& file) const;

    Workbench& workbench_;
    Session& session_;
    QualityJob& quality_;
    widgets::BenchmarkView* view_;
    formats::ModelFilePtr file_; ///< of the results
    widgets::BenchmarkResultsPtr results_;
    std::shared_ptr<Task> task_;
    State state_;
    QTimer collect_;
    Background background_;
};

} // namespace permafrost::gui
