// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/run.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QStatusBar;
class QToolButton;

namespace permafrost::gui {

/// The status bar: what is under the pointer on the left, the run's progress on the right.
class StatusLine : public QObject {
    Q_OBJECT
  public:
    explicit StatusLine(QStatusBar* bar);

    void show_hover(const QString& text);
    void show_state(const QString& text);
    void show_opening(bool opening);
    void show_run(bool running, bool paused);
    void show_progress(const profile::RunProgress& progress);

  private:
    QLabel* hover_ = nullptr;
    QLabel* state_ = nullptr;
    QLabel* numbers_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QString idle_text_;
    bool running_ = false;
};

} // namespace permafrost::gui
