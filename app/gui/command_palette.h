// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>
#include <QPointer>

class QAction;
class QLineEdit;
class QListWidget;

namespace permafrost::gui {

/// Every action of the window, found by typing a part of its name. Enter runs it.
class CommandPalette : public QDialog {
    Q_OBJECT
  public:
    CommandPalette(const QList<QAction*>& actions, QWidget* parent);

    QLineEdit* search() const { return search_; }
    QListWidget* list() const { return list_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fill();
    void run();

    QList<QPointer<QAction>> actions_;
    QLineEdit* search_ = nullptr;
    QListWidget* list_ = nullptr;
};

/// The actions of a menu and its submenus that do something, with the path to them as a text: "View > Theme > Dark".
QList<std::pair<QString, QAction*>> actions_below(const QList<QAction*>& actions, const QString& path = {});

} // namespace permafrost::gui
