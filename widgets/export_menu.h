// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything leaves the program: a context menu (right click, or the menu key) that saves, copies, prints and shows as a table
// what a plot or a table holds.
#pragma once

#include "widgets/text_table.h"

#include <QObject>

#include <functional>

class QAction;
class QTableView;
class QWidget;

namespace permafrost::widgets {

class ExportMenu : public QObject {
    Q_OBJECT
  public:
    using Data = std::function<TextTable()>;

    /// `name` begins the suggested file names. Without `data` the table is that of the plot's curves.
    static ExportMenu* of_plot(QCustomPlot* plot, const QString& name, Data data = {});
    static ExportMenu* of_table(QTableView* view, const QString& name, Data data);

    /// Writes the plot as the ending says: .png (twice the size of the screen's), .svg or .pdf. False when it could not.
    static bool save_picture(QCustomPlot& plot, const QString& path);
    /// False when it could not.
    static bool save_csv(const TextTable& table, const QString& path);

  Q_SIGNALS:
    void failed(const QString& path);

  private:
    ExportMenu(QWidget* target, const QString& name, Data data);
    QAction* add(const QString& id, const QString& text, std::function<void()> run);
    void add_plot_actions();
    void add_table_actions();
    void choose_path(const QString& title, const QString& filter, const QString& suffix,
                     std::function<bool(const QString&)> write);
    void print();
    void show_table();

    QWidget* target_;
    QCustomPlot* plot_ = nullptr;
    QString name_;
    Data data_;
};

} // namespace permafrost::widgets
