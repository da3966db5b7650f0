// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/windows.h"

#include "app/gui/main_window.h"

#include <QApplication>

namespace permafrost::gui {

MainWindow* open_window(const MainWindow* beside) {
    constexpr int step = 32;
    auto* window = new MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    if (beside && !beside->isMaximized() && !beside->isFullScreen()) {
        window->resize(beside->size());
        window->move(beside->pos() + QPoint(step, step));
    }
    window->show();
    return window;
}

QList<MainWindow*> all_windows() {
    QList<MainWindow*> windows;
    for (auto* widget : QApplication::topLevelWidgets())
        if (auto* window = qobject_cast<MainWindow*>(widget)) windows.append(window);
    return windows;
}

} // namespace permafrost::gui
