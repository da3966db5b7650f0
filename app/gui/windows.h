// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several windows of one process, each with a model, a profile and thresholds of its own.
#pragma once

#include <QList>
#include <QString>

namespace permafrost::gui {

class MainWindow;

/// Shows another window, a little below `beside` if there is one. It deletes itself when it is closed.
MainWindow* open_window(const MainWindow* beside = nullptr);

QList<MainWindow*> all_windows();

} // namespace permafrost::gui
