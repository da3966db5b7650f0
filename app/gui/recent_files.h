// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

namespace permafrost::gui {

/// The menu of files that were opened before; files that are gone are left out.
class RecentFiles : public QMenu {
    Q_OBJECT
  public:
    explicit RecentFiles(QWidget* parent = nullptr);
    void add(const QString& location);

  Q_SIGNALS:
    void chosen(const QString& location);

  private:
    void fill();
};

} // namespace permafrost::gui
