// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/column_condition.h"
#include "widgets/layers_model.h"

#include <QSortFilterProxyModel>

#include <optional>
#include <variant>
#include <vector>

namespace permafrost::widgets {

/// Which layers a text asks for: "12-20", "3, 7, 24-31", or a column against a number: "frozen > 5" (shares in
/// percent), "speed-up >= 1.1", "guarded = 0".
struct LayerCondition {
    using Ranges = std::vector<std::pair<double, double>>;
    struct Comparison {
        int column;
        ColumnCondition condition;
    };
    std::variant<Ranges, Comparison> condition;

    bool holds(const LayersModel& model, int row) const;
};

/// Empty: the text says nothing of the kind. Column names are those of the table, in any case; beginnings
/// suffice.
std::optional<LayerCondition> parse_layer_condition(const QString& text, const LayersModel& model);

class LayerFilter : public QSortFilterProxyModel {
    Q_OBJECT
  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    /// All rows where empty.
    void set_condition(std::optional<LayerCondition> condition);

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    std::optional<LayerCondition> condition_;
};

} // namespace permafrost::widgets
