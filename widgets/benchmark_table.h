// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/benchmark_result.h"
#include "widgets/text_table.h"

#include <QTableView>

namespace permafrost::widgets {

class BenchmarkModel;

/// "compacted 20 %", "masked, present mask 12.3 %". `mask`: identity of the present one; another one is an earlier mask.
QString name_of(const BenchmarkRow& row, const std::string& mask);
/// All figures of a row with their units, as a sentence.
QString figures_of(const BenchmarkRow& row);

/// Timings, one way of computing a row. Columns that there is no room for are left out, the least telling first, so that it never
/// scrolls sideways.
class BenchmarkTable : public QTableView {
    Q_OBJECT
  public:
    enum Column { Name, Time, Speedup, OfIdeal, OfLimit, Spread, Bytes, Operations, ColumnCount };

    explicit BenchmarkTable(QWidget* parent = nullptr);

    void set_rows(std::vector<BenchmarkRow> rows, const std::string& mask);
    const std::vector<BenchmarkRow>& rows() const;
    bool shows_all_columns() const { return shown_ == ColumnCount; }
    /// All columns, units in the headings, numbers to be read back.
    TextTable table() const;

  Q_SIGNALS:
    /// Nothing when no row is chosen.
    void chosen(const std::optional<permafrost::widgets::BenchmarkRow>& row);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void fit_columns();
    int width_of(int column) const;
    BenchmarkModel* model_ = nullptr;
    int shown_ = ColumnCount; ///< of the columns, from the first
};

} // namespace permafrost::widgets
