// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QKeySequence>
#include <QList>
#include <QMap>
#include <QPointer>

class QAction;
class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QTreeWidget;

namespace permafrost::gui {

class Actions;

/// Shortcuts a person chose, by the action's name; an action that is not in it has its own. An empty sequence
/// means none.
using ChosenShortcuts = QMap<QString, QKeySequence>;

ChosenShortcuts read_shortcuts();
void write_shortcuts(const ChosenShortcuts& shortcuts);

/// Lists every command with its keys; choose one, press the new keys. Keys that another command has are taken from it, and
/// this is said before. Nothing changes until OK.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
  public:
    ShortcutsDialog(const Actions& actions, const QList<QAction*>& menus, QWidget* parent);

    QTreeWidget* list() const { return list_; }
    QKeySequenceEdit* keys() const { return keys_; }
    QLabel* remark() const { return remark_; }

  Q_SIGNALS:
    void chosen(const permafrost::gui::ChosenShortcuts& shortcuts);

  private:
    struct Row {
        QString id, name;
        QKeySequence own, present;
    };
    void fill(const Actions& actions, const QList<QAction*>& menus);
    void filter();
    void show_row();
    void change(const QKeySequence& keys);
    void restore_all();
    void refresh();
    int current() const;
    int holder_of(const QKeySequence& keys, int except) const;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void accept() override;

    std::vector<Row> rows_;
    QLineEdit* search_ = nullptr;
    QTreeWidget* list_ = nullptr;
    QKeySequenceEdit* keys_ = nullptr;
    QLabel* remark_ = nullptr;
};

} // namespace permafrost::gui
