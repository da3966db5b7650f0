// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLockFile>
#include <QString>

#include <memory>

namespace permafrost::gui {

/// What one window keeps for itself in the program's data folder, so that windows, also those of several
/// processes, never write each other's files: its unclosed session and the copy of its newest run. A window
/// takes the lowest free place, one with something left of a window that was not closed properly before any
/// other.
class WindowPlace {
  public:
    WindowPlace();
    ~WindowPlace();
    WindowPlace(const WindowPlace&) = delete;
    WindowPlace& operator=(const WindowPlace&) = delete;

    QString session_path() const;
    QString run_path() const;
    /// False when all places are taken: such a window keeps nothing.
    bool is_own() const { return lock_ != nullptr; }
    /// Whether a free place has a session of a window that was not closed properly.
    static bool another_leftover();
    /// Removes the sessions of all free places.
    static void discard_leftovers();

  private:
    int number_ = 0;
    std::unique_ptr<QLockFile> lock_;
};

} // namespace permafrost::gui
