// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/background.h"
#include "app/gui/session_file.h"
#include "app/gui/workbench.h"

#include <QObject>
#include <QTimer>

#include <optional>

class QPlainTextEdit;

namespace permafrost::gui {

class Comparison;
class Views;

/// Saves and opens sessions, and keeps one by itself while the window is used, so that a crash loses nothing: what it finds
/// of a window that was not closed properly can be restored.
class SessionKeeper : public QObject {
    Q_OBJECT
  public:
    SessionKeeper(Workbench& workbench, Views& views, Comparison& comparison, QPlainTextEdit* notes,
                  QObject* parent);
    ~SessionKeeper() override;

    /// The session file of this window; empty before it was saved or opened.
    const QString& path() const { return path_; }
    /// A profile that is only in memory is saved beside it first.
    void save(const QString& path);
    void open(const QString& path);
    /// Whether a session is left of a window that was not closed properly.
    bool has_leftover() const { return leftover_; }
    void restore_leftover();
    void discard_leftover();
    /// The window is closed properly: nothing is left to restore.
    void close();
    /// Writes what changed since the last time; also every ten seconds by itself.
    void keep();

  Q_SIGNALS:
    void saved(const QString& path);
    void opened(const QString& path);
    void failed(const QString& message);
    void warned(const QString& message); ///< the profile is not the one the session was saved with

  private:
    SavedSession present() const;
    void write(SavedSession session, const QString& path);
    void open_model_of(const SavedSession& session);
    void open_profile_of(const SavedSession& session);
    void apply(const SavedSession& session);
    QString leftover_path() const { return workbench_.place().session_path(); }

    Workbench& workbench_;
    Views& views_;
    Comparison& comparison_;
    QPlainTextEdit* notes_;
    QString path_;
    std::optional<SavedSession> pending_; ///< being opened
    SavedSession kept_;
    bool leftover_ = false;
    QTimer timer_;
    Background background_;
};

} // namespace permafrost::gui
