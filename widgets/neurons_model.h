// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/column_condition.h"
#include "widgets/metric.h"
#include "widgets/view_data.h"

#include <QAbstractTableModel>

#include <array>
#include <vector>

namespace permafrost::widgets {

/// One row a neuron of one layer that the search matches, sorted by any column. DisplayRole is text with units, SortRole the
/// number behind it. Rows are an order of neurons, sorted here: 28 672 variants would be slow to compare.
class NeuronsModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    static constexpr int SortRole = Qt::UserRole;
    enum Column { Neuron, State, FirstMetric };

    explicit NeuronsModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void set_layer(const ProfilePtr& profile, const DecisionPtr& decision, std::uint32_t layer);
    /// Conditions that must all hold, between spaces: "frozen", "guarded", "active", a neuron's number, or a column's name
    /// with <, <=, =, >= or > and a number ("variance<0.001", "rms>1"). False when it cannot be understood; nothing changes then.
    bool set_search(const QString& text);
    void sort(int column, Qt::SortOrder order) override;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    std::uint32_t neurons() const { return neurons_; }
    std::uint32_t neuron_at(int row) const { return order_[static_cast<std::size_t>(row)]; }
    /// -1 when the search leaves the neuron out.
    int row_of(std::uint32_t neuron) const;

  private:
    enum class NeuronState : std::uint8_t { Active, Guarded, Frozen };
    struct Condition {
        int column = Neuron;
        ColumnCondition condition;
    };
    static const std::vector<Metric>& columns();
    bool parse(const QString& text, std::vector<Condition>& conditions) const;
    bool parse_condition(const QString& word, Condition& condition) const;
    double value(std::uint32_t neuron, int column) const;
    bool matches(std::uint32_t neuron) const;
    void arrange();

    std::uint32_t neurons_ = 0;
    profile::LayerProfilePtr source_;
    std::vector<std::vector<float>> values_; ///< (metric column, neuron)
    std::vector<NeuronState> states_;
    std::vector<std::uint32_t> order_;
    std::vector<Condition> conditions_;
    int sort_column_ = Neuron;
    Qt::SortOrder sort_order_ = Qt::AscendingOrder;
};

} // namespace permafrost::widgets
