// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a window can do, without the window: open, profile, save, export. Everything slow happens on other
// threads; results come back as signals.
#pragma once

#include "app/gui/background.h"
#include "app/gui/export_request.h"
#include "app/gui/profile_job.h"
#include "app/gui/session.h"
#include "app/gui/window_place.h"
#include "core/verdict/quality_gate.h"

#include <QStringList>

#include <memory>

namespace permafrost::gui {

class Workbench : public QObject {
    Q_OBJECT
  public:
    explicit Workbench(QObject* parent = nullptr);
    ~Workbench() override;

    Session& session() { return session_; }
    const std::optional<OpenModel>& model() const { return model_; }
    /// Where the shown profile is stored; empty while it is only in memory.
    const QString& profile_path() const { return profile_path_; }
    bool is_running() const { return job_ != nullptr; }
    bool is_paused() const { return job_ && job_->is_paused(); }
    bool is_opening() const { return opening_ > 0; }
    /// While something is timed, everything else that would take the processor from it is on hold.
    bool is_timing() const { return timing_; }
    void set_timing(bool on);

    /// A model, "demo", or a .frost profile.
    void open(const QString& location);
    void start(const RunRequest& request);
    void pause(bool on);
    void cancel();
    void save_profile(const QString& path);
    /// `gate`: what was measured of the present mask.
    void export_masks(const QString& folder, const verdict::QualityGate& gate = {});
    /// Where this window keeps what was not saved, a copy of its newest finished run among it.
    const WindowPlace& place() const { return place_; }

  Q_SIGNALS:
    void state_changed(); ///< opening, running, paused, timing, what is open
    void model_opened();
    void profile_opened();
    void opened(const QString& location);
    void failed(const QString& message);
    void run_progressed(const permafrost::profile::RunProgress& progress);
    void run_finished(bool complete, bool cancelled, const QString& message);
    void profile_saved(const QString& path);
    void export_finished(const permafrost::gui::ExportReport& report);

  private:
    void open_model(const QString& location);
    void open_profile(const QString& path);
    void finish_run(bool complete, bool cancelled, const QString& message);
    /// Stops the run without its last words: something else was opened.
    void drop_job();
    void autosave();

    WindowPlace place_;
    Session session_;
    std::optional<OpenModel> model_;
    QString profile_path_;
    int opening_ = 0;
    bool timing_ = false;
    int latest_open_ = 0;
    Background background_;
    std::unique_ptr<ProfileJob> job_; ///< stopped before the rest goes
};

} // namespace permafrost::gui
