// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/shortcuts.h"

#include <QAction>
#include <QActionGroup>
#include <QObject>

#include <vector>

class QUndoStack;

namespace permafrost::gui {

/// Every action of the window, with its name, shortcut and icon, in one place. Menus, toolbar and shortcuts
/// use these.
class Actions : public QObject {
    Q_OBJECT
  public:
    Actions(QUndoStack* undo_stack, QObject* parent);

    QAction *new_window, *open, *open_demo, *save_session, *save_profile, *export_masks, *close, *quit;
    QAction *undo, *redo, *copy_table, *reset_rule;
    QAction *start, *pause, *cancel, *benchmark;
    QAction *back, *forward, *fit, *zoom_in, *zoom_out, *save_picture, *full_screen;
    QAction *theme_system, *theme_light, *theme_dark, *theme_contrast;
    QActionGroup* text_sizes; ///< data() of each is percent
    QAction *layout_explore, *layout_review, *layout_export, *reset_layout;
    QAction* commands;
    QAction *shortcuts, *manual, *about, *about_qt;

    /// Icons in the theme's colour.
    void restyle();
    /// Gives every action the keys that were chosen for it, or its own.
    void set_shortcuts(const ChosenShortcuts& chosen);
    /// Whether it is one of these, whose name lasts.
    bool is_one(const QAction* action) const;
    static QKeySequence own_shortcut(const QAction* action);

  private:
    QAction* name(QAction* action, const QString& id, const QString& icon_name, const QKeySequence& shortcut);
    QAction* add(const QString& id, const QString& text, const QString& icon_name,
                 const QKeySequence& shortcut, const QString& help);
    QAction* add_theme(QActionGroup* group, const QString& id, const QString& text);
    std::vector<QAction*> named_; ///< all
};

} // namespace permafrost::gui
