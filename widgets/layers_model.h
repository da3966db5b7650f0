// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/view_data.h"

#include <QAbstractTableModel>

namespace permafrost::widgets {

/// One row a layer. DisplayRole is text with units, SortRole the number behind it.
class LayersModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Layer, Frozen, Speedup, Saturated, Guarded, Variance, Neurons, ColumnCount };
    static constexpr int SortRole = Qt::UserRole;

    explicit LayersModel(QObject* parent = nullptr);

    void set_decision(const DecisionPtr& decision);
    const DecisionPtr& decision() const { return decision_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    DecisionPtr decision_;
};

} // namespace permafrost::widgets
