// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/layers_model.h"
#include "widgets/rule_fields.h"
#include "widgets/text_table.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace permafrost::widgets {

class LayerFilter;

/// All layers, sortable by every column and filtered by a text (LayerCondition); the current row is the
/// selected layer.
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
    void rows_selected(const permafrost::widgets::RuleScope& layers); ///< all that are marked
    /// A layer's box was ticked or unticked; where several rows are marked it means all of them.
    void inclusion_changed(const permafrost::widgets::RuleScope& layers, bool included);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void copy();
    void filter(const QString& text);
    RuleScope marked() const;

    Selection selection_;
    LayersModel* model_ = nullptr;
    LayerFilter* sorted_ = nullptr;
    QLineEdit* filter_ = nullptr;
    QLabel* problem_ = nullptr;
    QTableView* view_ = nullptr;
    bool updating_ = false;  ///< new figures are coming in
    bool following_ = false; ///< the current row is being set from outside
};

} // namespace permafrost::widgets
