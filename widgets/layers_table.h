// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/layers_model.h"
#include "widgets/text_table.h"

#include <QWidget>

class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace permafrost::widgets {

/// All layers, sortable by every column; the current row is the selected layer.
class LayersTable : public QWidget {
    Q_OBJECT
  public:
    explicit LayersTable(QWidget* parent = nullptr);

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    void set_selection(const Selection& selection);
    /// The selected cells, or all, as tab-separated text with a header line.
    QString as_text(bool selected_only) const;
    /// All rows, as sorted.
    TextTable table() const;
    QTableView* view() const { return view_; }

  Q_SIGNALS:
    void selected(const permafrost::widgets::Selection& selection);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void copy();

    Selection selection_;
    LayersModel* model_ = nullptr;
    QSortFilterProxyModel* sorted_ = nullptr;
    QTableView* view_ = nullptr;
    bool following_ = false; ///< the current row is being set from outside
};

} // namespace permafrost::widgets
