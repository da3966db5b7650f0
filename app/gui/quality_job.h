// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/background.h"
#include "app/gui/session.h"
#include "core/formats/model_file.h"
#include "core/text/corpus.h"
#include "widgets/quality_view.h"

#include <QObject>
#include <QTimer>

#include <mutex>
#include <optional>
#include <stop_token>

namespace permafrost::gui {

class Workbench;

/// Evaluates the present mask on held-out text, away from the GUI thread, while the quality view is visible and live: coarse
/// figures first, then sharper ones, and again from the beginning when the mask changes. A run of the profiler goes first.
class QualityJob : public QObject {
    Q_OBJECT
  public:
    QualityJob(Workbench& workbench, widgets::QualityView* view, QObject* parent = nullptr);
    ~QualityJob() override;

    const std::vector<widgets::QualityPoint>& points() const { return points_; }

  Q_SIGNALS:
    /// What is known of the present mask; empty when nothing is.
    void measured(const std::optional<permafrost::widgets::QualityPoint>& point);

  private:
    /// One evaluation: what it needs, and where its thread leaves what it found.
    struct Task;

    void wish();
    void compute();
    void collect();
    void finish(const QString& problem);
    void stop();
    /// Why the mask cannot be evaluated now; empty when it can.
    QString obstacle() const;

    Workbench& workbench_;
    Session& session_;
    widgets::QualityView* view_;
    std::vector<widgets::QualityPoint> points_;
    widgets::QualityPoint latest_;
    std::string points_model_; ///< identity of the model that they are of
    std::shared_ptr<Task> task_;
    std::shared_ptr<const text::Corpus> corpus_; ///< of points_model_, all windows
    QTimer delay_, collect_;
    Background background_;
};

} // namespace permafrost::gui
