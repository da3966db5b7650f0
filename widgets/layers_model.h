// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/view_data.h"

#include <QAbstractTableModel>

namespace permafrost::widgets {

/// One row a layer. DisplayRole is text with units, SortRole the number behind it. The box of a layer says
/// whether the rule includes it.
class LayersModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Layer, Frozen, Speedup, Saturated, Guarded, Variance, Neurons, Own, ColumnCount };
    static constexpr int SortRole = Qt::UserRole;

    explicit LayersModel(QObject* parent = nullptr);

    void set_decision(const DecisionPtr& decision);
    const DecisionPtr& decision() const { return decision_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  Q_SIGNALS:
    void inclusion_toggled(std::uint32_t layer, bool included);

  private:
    DecisionPtr decision_;
};

} // namespace permafrost::widgets
