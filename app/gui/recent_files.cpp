// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/recent_files.h"

#include "app/gui/settings.h"

#include <QDir>
#include <QFileInfo>

namespace permafrost::gui {
namespace {
constexpr int most_files = 9;
}

RecentFiles::RecentFiles(QWidget* parent) : QMenu(tr("Open &recent"), parent) { fill(); }

void RecentFiles::add(const QString& location) {
    if (!QFileInfo::exists(location)) return; // "demo" has an entry of its own
    const auto path = QFileInfo(location).absoluteFilePath();
    auto files = read_setting(settings::recent_files).toStringList();
    files.removeAll(path);
    files.prepend(path);
    while (files.size() > most_files) files.removeLast();
    write_setting(settings::recent_files, files);
    fill();
}

void RecentFiles::fill() {
    clear();
    int number = 0;
    for (const auto& path : read_setting(settings::recent_files).toStringList()) {
        if (!QFileInfo::exists(path)) continue;
        auto name = QFileInfo(path).fileName();
        name.replace(u'&', QStringLiteral("&&"));
        auto* action = addAction(QStringLiteral("&%1  %2").arg(++number).arg(name));
        action->setStatusTip(QDir::toNativeSeparators(path));
        connect(action, &QAction::triggered, this, [this, path] { Q_EMIT chosen(path); });
    }
    if (number == 0) addAction(tr("Nothing yet"))->setEnabled(false);
}

} // namespace permafrost::gui
