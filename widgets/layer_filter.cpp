// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layer_filter.h"

#include <QRegularExpression>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

int column_named(const QString& beginning, const LayersModel& model) {
    for (int column = 0; column < model.columnCount(); ++column)
        if (column != LayersModel::Own && // no number
            model.headerData(column, Qt::Horizontal, Qt::DisplayRole)
                .toString()
                .startsWith(beginning, Qt::CaseInsensitive))
            return column;
    return -1;
}

std::optional<LayerCondition::Ranges> ranges_of(const QString& text) {
    static const QRegularExpression shape(u"^\\s*(\\d+)\\s*(?:[-–]\\s*(\\d+)\\s*)?$"_s);
    LayerCondition::Ranges ranges;
    for (const auto& part : text.split(u',')) {
        const auto match = shape.match(part);
        if (!match.hasMatch()) return std::nullopt;
        const double first = match.captured(1).toDouble();
        ranges.emplace_back(first, match.captured(2).isEmpty() ? first : match.captured(2).toDouble());
    }
    return ranges;
}

bool is_percent(int column) { return column == LayersModel::Frozen || column == LayersModel::Saturated; }

} // namespace

std::optional<LayerCondition> parse_layer_condition(const QString& text, const LayersModel& model) {
    if (auto ranges = ranges_of(text)) return LayerCondition{std::move(*ranges)};
    const auto condition = parse_column_condition(text);
    const int column = condition ? column_named(condition->column, model) : -1;
    if (column < 0) return std::nullopt;
    return LayerCondition{LayerCondition::Comparison{column, *condition}};
}

bool LayerCondition::holds(const LayersModel& model, int row) const {
    if (const auto* ranges = std::get_if<Ranges>(&condition)) {
        for (const auto& [first, last] : *ranges)
            if (row >= first && row <= last) return true;
        return false;
    }
    const auto& comparison = std::get<Comparison>(condition);
    double value = model.index(row, comparison.column).data(LayersModel::SortRole).toDouble();
    if (is_percent(comparison.column)) value *= 100; // as shown
    return comparison.condition.holds(value);
}

void LayerFilter::set_condition(std::optional<LayerCondition> condition) {
    condition_ = std::move(condition);
    invalidateFilter();
}

bool LayerFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    return !condition_ || condition_->holds(static_cast<const LayersModel&>(*sourceModel()), row);
}

} // namespace permafrost::widgets
