// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layers_model.h"

#include "widgets/numbers.h"

namespace permafrost::widgets {
namespace {

double number(const verdict::LayerMetrics& layer, int column) {
    switch (column) {
    case LayersModel::Layer:
        return layer.layer;
    case LayersModel::Neurons:
        return layer.neurons;
    case LayersModel::Frozen:
        return layer.frozen_share;
    case LayersModel::Saturated:
        return layer.saturated_share;
    case LayersModel::Guarded:
        return layer.guarded;
    case LayersModel::Speedup:
        return layer.speedup;
    case LayersModel::Variance:
        return layer.average_variance;
    default:
        return 0;
    }
}

QString text(const verdict::LayerMetrics& layer, int column) {
    switch (column) {
    case LayersModel::Layer:
        return QString::number(layer.layer);
    case LayersModel::Neurons:
        return count(layer.neurons);
    default:
        break;
    }
    if (!layer.profiled) return QString::fromUtf16(dash);
    switch (column) {
    case LayersModel::Frozen:
        return percent(layer.frozen_share);
    case LayersModel::Saturated:
        return percent(layer.saturated_share);
    case LayersModel::Guarded:
        return count(layer.guarded);
    case LayersModel::Speedup:
        return factor(layer.speedup);
    case LayersModel::Variance:
        return significant(layer.average_variance, 3);
    default:
        return {};
    }
}

/// What the layer does differently from the rule; layers that follow it sort first.
QVariant own_data(const masks::FreezeRule& rule, std::uint32_t layer, int role) {
    const auto own = rule.layer_rules.find(layer);
    const auto text = own == rule.layer_rules.end()
                          ? QString()
                          : QString::fromStdString(masks::differences_text(own->second));
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return QString(text).replace(u',', QStringLiteral(", "));
    case LayersModel::SortRole:
        return text;
    default:
        return {};
    }
}

} // namespace

LayersModel::LayersModel(QObject* parent) : QAbstractTableModel(parent) {}

void LayersModel::set_decision(const DecisionPtr& decision) {
    const auto rows = [](const DecisionPtr& d) { return d ? static_cast<int>(d->layers.size()) : 0; };
    const int before = rows(decision_);
    const int after = rows(decision);
    if (before != after) {
        beginResetModel();
        decision_ = decision;
        endResetModel();
        return;
    }
    decision_ = decision;
    if (after > 0)
        Q_EMIT dataChanged(index(0, 0), index(after - 1, ColumnCount - 1),
                           {Qt::DisplayRole, Qt::CheckStateRole, SortRole});
}

int LayersModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !decision_ ? 0 : static_cast<int>(decision_->layers.size());
}

int LayersModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant LayersModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !decision_ || index.row() >= rowCount()) return {};
    const auto& layer = decision_->layers[static_cast<std::size_t>(index.row())];
    if (index.column() == Own) return own_data(decision_->rule, layer.layer, role);
    switch (role) {
    case Qt::DisplayRole:
        return text(layer, index.column());
    case Qt::CheckStateRole:
        if (index.column() != Layer) return {};
        return decision_->rule.includes(layer.layer) ? Qt::Checked : Qt::Unchecked;
    case SortRole:
        return number(layer, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    default:
        return {};
    }
}

Qt::ItemFlags LayersModel::flags(const QModelIndex& index) const {
    const auto flags = QAbstractTableModel::flags(index);
    return index.column() == Layer ? flags | Qt::ItemIsUserCheckable : flags;
}

bool LayersModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || index.column() != Layer || index.row() >= rowCount()) return false;
    Q_EMIT inclusion_toggled(static_cast<std::uint32_t>(index.row()), value.toInt() == Qt::Checked);
    return true;
}

QVariant LayersModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::DisplayRole) {
        switch (section) {
        case Layer:
            return tr("Layer");
        case Neurons:
            return tr("Neurons");
        case Frozen:
            return tr("Frozen");
        case Saturated:
            return tr("Saturated");
        case Guarded:
            return tr("Guarded");
        case Speedup:
            return tr("Speed-up");
        case Variance:
            return tr("Variance");
        case Own:
            return tr("Own thresholds");
        default:
            return {};
        }
    }
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Layer:
            return tr("Layers without a tick are left as they are: nothing in them is frozen");
        case Own:
            return tr("What the layer does differently from the rule");
        case Frozen:
            return tr("Share of the layer's neurons that the mask freezes (%)");
        case Saturated:
            return tr("Share that meets all three criteria (%)");
        case Guarded:
            return tr("Neurons that would be frozen but for the guard");
        case Speedup:
            return tr("1 / (1 - frozen share): an upper bound for the layer's FFN (×)");
        case Variance:
            return tr("Variance of h, mean over the layer's neurons (h²)");
        default:
            return {};
        }
    }
    return {};
}

} // namespace permafrost::widgets
