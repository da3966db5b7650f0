// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/background.h"
#include "app/gui/export_request.h"
#include "core/base/result.h"
#include "core/verdict/quality_gate.h"
#include "widgets/view_data.h"

#include <QObject>

#include <memory>
#include <stop_token>

namespace permafrost::gui {

struct OpenModel;
class Workbench;

/// Writes model files with the present masks in them or without the frozen neurons, away from the GUI thread. One at a time.
class ExportJob : public QObject {
    Q_OBJECT
  public:
    explicit ExportJob(Workbench& workbench, QObject* parent = nullptr);
    ~ExportJob() override;

    /// ExportRequest::Kind::Encoded, Smaller and Kit, of the model and masks that the window shows now.
    void start(const ExportRequest& request);
    void cancel() { stop_.request_stop(); }
    bool is_running() const { return running_; }

  Q_SIGNALS:
    void progressed(const QString& step, int percent);
    void finished(const permafrost::gui::ExportReport& report);

  private:
    void finish(ExportReport report, const Result<QString>& remark);

    Workbench& workbench_;
    std::stop_source stop_;
    bool running_ = false;
    Background background_;
};

} // namespace permafrost::gui
