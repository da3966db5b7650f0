// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/run_request.h"
#include "core/profile/run.h"

#include <QObject>
#include <QTimer>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace permafrost::gui {

/// One profiling run on a thread of its own. The run leaves its newest snapshot in a mailbox; a 15 Hz timer
/// in the GUI thread takes it, so that a fast run never floods the event queue. Destroying the job stops the
/// run and waits for it.
class ProfileJob : public QObject {
    Q_OBJECT
  public:
    ProfileJob(OpenModel model, RunRequest request, QObject* parent = nullptr);
    ~ProfileJob() override;

    void pause(bool on);
    bool is_paused() const { return paused_.load(); }
    void cancel();
    const OpenModel& model() const { return model_; }
    const RunRequest& request() const { return request_; }

  Q_SIGNALS:
    void progressed(const permafrost::profile::RunProgress& progress);
    void snapshot_taken(const permafrost::profile::ProfilePtr& profile);
    /// Once, at the end; the newest snapshot was taken before. `message` is empty when all went well.
    void finished(bool complete, bool cancelled, const QString& message);

  private:
    struct Mailbox {
        std::mutex mutex;
        std::optional<profile::RunProgress> progress;
        profile::ProfilePtr snapshot;
        std::optional<Result<profile::RunResult>> result;
    };
    Result<profile::RunResult> profile(const std::stop_token& stop);
    profile::RunObserver observer();
    void collect();

    OpenModel model_;
    RunRequest request_;
    Mailbox mailbox_;
    std::atomic<bool> paused_ = false;
    QTimer collect_;
    std::jthread thread_; ///< last: joined before the rest goes
};

} // namespace permafrost::gui
