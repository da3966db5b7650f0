// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;
class QPlainTextEdit;
class QUndoStack;

namespace permafrost::gui {

class RunPanel;
class Views;

/// The panels around the views and where they stand.
class Docks : public QObject {
    Q_OBJECT
  public:
    Docks(QMainWindow* window, const Views& views, RunPanel* run, QUndoStack* undo_stack);

    QDockWidget *verdict, *run, *layers, *neuron, *thresholds, *history, *quality, *benchmark, *notes;
    QPlainTextEdit* notes_text;

    QList<QDockWidget*> all() const;
    /// The layout the program starts with the first time: everything for exploring.
    void reset();
    /// Verdict, layers, quality and notes.
    void show_review();
    /// Verdict and layers only.
    void show_export();
    void save() const;
    /// False when there is nothing to restore, or nothing usable.
    bool restore();

  private:
    void share_space();
    QDockWidget* add(const QString& id, const QString& title, QWidget* content);
    QMainWindow* window_;
};

} // namespace permafrost::gui
