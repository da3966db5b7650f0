// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/benchmark_result.h"

#include <QAbstractTableModel>

namespace permafrost::widgets {

/// The rows of a BenchmarkTable; its columns are BenchmarkTable::Column.
class BenchmarkModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Role { NumberRole = Qt::UserRole };
    explicit BenchmarkModel(QObject* parent = nullptr);

    void set_rows(std::vector<BenchmarkRow> rows, const std::string& mask);
    const std::vector<BenchmarkRow>& rows() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    std::vector<BenchmarkRow> rows_;
    std::string mask_;
};

} // namespace permafrost::widgets
