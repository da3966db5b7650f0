// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/neurons_model.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

} // namespace

const std::vector<Metric>& NeuronsModel::columns() {
    static const std::vector<Metric> metrics = [] {
        auto all = all_metrics();
        std::erase(all, Metric::Frozen);
        return all;
    }();
    return metrics;
}

void NeuronsModel::set_layer(const ProfilePtr& profile, const DecisionPtr& decision, std::uint32_t layer) {
    beginResetModel();
    const auto* statistics = layer_of(profile, layer);
    neurons_ = statistics ? statistics->neurons() : 0;
    const auto source = statistics ? profile->layers[layer] : nullptr;
    const double threshold = decision ? decision->rule.for_layer(layer).activation_threshold : 0.1;
    const bool same = source && source == source_;
    source_ = source;
    values_.resize(columns().size());
    for (std::size_t column = 0; column < columns().size(); ++column) {
        if (same && columns()[column] != Metric::LowActivity) continue;
        values_[column] =
            statistics ? metric_values(*statistics, columns()[column], threshold) : std::vector<float>();
    }
    states_.assign(neurons_, NeuronState::Active);
    if (decision && layer < decision->masks.size()) {
        const auto& mask = decision->masks[layer];
        for (std::uint32_t neuron = 0; neuron < neurons_ && neuron < mask.frozen.size(); ++neuron) {
            if (mask.frozen.test(neuron))
                states_[neuron] = NeuronState::Frozen;
            else if (mask.guarded.test(neuron))
                states_[neuron] = NeuronState::Guarded;
        }
    }
    arrange();
    endResetModel();
}

double NeuronsModel::value(std::uint32_t neuron, int column) const {
    if (column == Neuron) return neuron;
    if (column == State) return static_cast<double>(states_[neuron]);
    return static_cast<double>(values_[static_cast<std::size_t>(column - FirstMetric)][neuron]);
}

bool NeuronsModel::matches(std::uint32_t neuron) const {
    return std::all_of(conditions_.begin(), conditions_.end(), [&](const Condition& condition) {
        const double found = value(neuron, condition.column);
        return condition.condition.holds(found);
    });
}

void NeuronsModel::arrange() {
    order_.clear();
    for (std::uint32_t neuron = 0; neuron < neurons_; ++neuron)
        if (matches(neuron)) order_.push_back(neuron);
    if (sort_column_ == Neuron && sort_order_ == Qt::AscendingOrder) return;
    const bool ascending = sort_order_ == Qt::AscendingOrder;
    // Values that are no numbers come last, equal ones by their number.
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        const double x = value(a, sort_column_), y = value(b, sort_column_);
        if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
        return ascending ? x < y : x > y;
    });
}

void NeuronsModel::sort(int column, Qt::SortOrder order) {
    if (column < 0) return;
    beginResetModel();
    sort_column_ = column;
    sort_order_ = order;
    arrange();
    endResetModel();
}

bool NeuronsModel::parse_condition(const QString& word, Condition& condition) const {
    const auto equal = [](int column, double number) {
        return Condition{column, {{}, ColumnCondition::Sign::Equal, number}};
    };
    // In the window's language or in English.
    const std::pair<QString, NeuronState> states[] = {
        {tr("frozen"), NeuronState::Frozen},   {u"frozen"_s, NeuronState::Frozen},
        {tr("guarded"), NeuronState::Guarded}, {u"guarded"_s, NeuronState::Guarded},
        {tr("active"), NeuronState::Active},   {u"active"_s, NeuronState::Active}};
    for (const auto& [name, state] : states)
        if (word.compare(name, Qt::CaseInsensitive) == 0) {
            condition = equal(State, static_cast<double>(state));
            return true;
        }
    bool number = false;
    if (const auto neuron = word.toUInt(&number); number) {
        condition = equal(Neuron, static_cast<double>(neuron));
        return true;
    }
    const auto read = parse_column_condition(word);
    if (!read) return false;
    condition.condition = *read;
    const auto& name = read->column;
    for (std::size_t column = 0; column < columns().size(); ++column) {
        const auto metric = columns()[column];
        if (name.compare(identifier_of(metric), Qt::CaseInsensitive) != 0 &&
            name.compare(QString(name_of(metric)).remove(u' '), Qt::CaseInsensitive) != 0)
            continue;
        condition.column = static_cast<int>(column) + FirstMetric;
        if (is_share(metric)) condition.condition.number /= 100; // as shown
        return true;
    }
    if (name.compare(tr("neuron"), Qt::CaseInsensitive) != 0) return false;
    condition.column = Neuron;
    return true;
}

bool NeuronsModel::parse(const QString& text, std::vector<Condition>& conditions) const {
    // "rms > 1" is one condition.
    static const QRegularExpression around(u" ?([<>=]+) ?"_s);
    auto joined = text;
    joined.replace(around, u"\\1"_s);
    for (const auto& word : joined.split(u' ', Qt::SkipEmptyParts)) {
        Condition condition;
        if (!parse_condition(word, condition)) return false;
        conditions.push_back(condition);
    }
    return true;
}

bool NeuronsModel::set_search(const QString& text) {
    std::vector<Condition> conditions;
    if (!parse(text.simplified(), conditions)) return false;
    beginResetModel();
    conditions_ = std::move(conditions);
    arrange();
    endResetModel();
    return true;
}

int NeuronsModel::row_of(std::uint32_t neuron) const {
    const auto found = std::find(order_.begin(), order_.end(), neuron);
    return found == order_.end() ? -1 : static_cast<int>(found - order_.begin());
}

int NeuronsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int NeuronsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns().size()) + FirstMetric;
}

QVariant NeuronsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == State ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    const auto neuron = neuron_at(index.row());
    if (role == SortRole && index.column() != State) return value(neuron, index.column());
    if (role != Qt::DisplayRole && role != SortRole) return {};
    if (index.column() == Neuron) return neuron;
    if (index.column() == State)
        return states_[neuron] == NeuronState::Frozen    ? tr("frozen")
               : states_[neuron] == NeuronState::Guarded ? tr("guarded")
                                                         : tr("active");
    return with_unit(columns()[static_cast<std::size_t>(index.column() - FirstMetric)],
                     value(neuron, index.column()));
}

QVariant NeuronsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::DisplayRole)
        return section == Neuron  ? tr("Neuron")
               : section == State ? tr("State")
                                  : name_of(columns()[static_cast<std::size_t>(section - FirstMetric)]);
    if (role == Qt::ToolTipRole && section >= FirstMetric)
        return description_of(columns()[static_cast<std::size_t>(section - FirstMetric)]);
    return {};
}

} // namespace permafrost::widgets
