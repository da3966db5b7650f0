// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text_table.h"
#include "widgets/view_data.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace permafrost::widgets {

class NeuronsModel;

/// All neurons of the selected layer, sorted by any column, with a search over every column.
class NeuronsTable : public QWidget {
    Q_OBJECT
  public:
    explicit NeuronsTable(QWidget* parent = nullptr);

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    void set_selection(const Selection& selection);
    QTableView* view() const { return view_; }
    QLineEdit* search() const { return search_; }
    /// The rows that the search leaves, as sorted.
    TextTable table() const;

  Q_SIGNALS:
    void selected(const permafrost::widgets::Selection& selection);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void refresh();
    void take_search();
    void follow_selection();
    void show_count();

    ProfilePtr profile_;
    DecisionPtr decision_;
    Selection selection_;
    NeuronsModel* model_ = nullptr;
    QLineEdit* search_ = nullptr;
    QLabel* count_ = nullptr;
    QTableView* view_ = nullptr;
    bool stale_ = true;
    bool following_ = false;
};

} // namespace permafrost::widgets
