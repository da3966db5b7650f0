// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/benchmark_table.h"

#include "widgets/benchmark_model.h"
#include "widgets/numbers.h"

#include <QEvent>
#include <QHeaderView>

#include <algorithm>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int fewest_columns = 3;
constexpr int cell_padding = 16; // pixels

} // namespace

QString name_of(const BenchmarkRow& row, const std::string& mask) {
    const auto share = row.is_of_a_mask() ? (row.mask == mask ? BenchmarkTable::tr("present mask, %1")
                                                              : BenchmarkTable::tr("earlier mask, %1"))
                                                .arg(percent(row.frozen_share))
                                          : percent(row.percent / 100.0, 0);
    switch (row.way) {
    case BenchmarkWay::TwoProducts:
        return BenchmarkTable::tr("dense, two products");
    case BenchmarkWay::Fused:
        return BenchmarkTable::tr("dense, fused");
    case BenchmarkWay::Masked:
        return BenchmarkTable::tr("masked, %1").arg(share);
    case BenchmarkWay::Compacted:
        return BenchmarkTable::tr("compacted, %1").arg(share);
    case BenchmarkWay::Width:
        break;
    }
    return BenchmarkTable::tr("%1 of the width").arg(share);
}

QString figures_of(const BenchmarkRow& row) {
    const auto limit = row.is_bound_by_memory()
                           ? BenchmarkTable::tr("%1 of the memory rate %2 GB/s")
                                 .arg(percent(row.share_of_limit()), significant(row.stream_gbps, 3))
                           : BenchmarkTable::tr("%1 of the product rate %2 GFLOP/s")
                                 .arg(percent(row.share_of_limit()), significant(row.gemm_gflops, 3));
    return BenchmarkTable::tr("%1 a token (%2 to %3); speed-up %4 (%5 to %6), %7 of the ideal; %8; %9")
        .arg(short_time(row.speed.seconds), short_time(row.speed.fastest), short_time(row.speed.slowest),
             factor(row.speed.speedup), factor(row.speed.least_speedup), factor(row.speed.most_speedup),
             percent(row.of_ideal()),
             BenchmarkTable::tr("%1 GB/s, %2 GFLOP/s")
                 .arg(significant(row.gbps(), 3), significant(row.speed.gflops(), 3)),
             limit);
}

BenchmarkTable::BenchmarkTable(QWidget* parent) : QTableView(parent) {
    model_ = new BenchmarkModel(this);
    setModel(model_);
    setObjectName(u"benchmark.table"_s);
    setAccessibleName(tr("Timings"));
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setWordWrap(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSectionResizeMode(Name, QHeaderView::Stretch);
    setMinimumHeight(4 * (fontMetrics().height() + 6));
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& at) {
        if (at.isValid())
            Q_EMIT chosen(model_->rows()[static_cast<std::size_t>(at.row())]);
        else
            Q_EMIT chosen(std::nullopt);
    });
}

void BenchmarkTable::set_rows(std::vector<BenchmarkRow> rows, const std::string& mask) {
    const auto before = currentIndex();
    std::optional<BenchmarkRow> chosen_before;
    if (before.isValid()) chosen_before = model_->rows()[static_cast<std::size_t>(before.row())];
    model_->set_rows(std::move(rows), mask);
    fit_columns();
    const auto same = [&](const BenchmarkRow& row) {
        return chosen_before && row.same_subject(*chosen_before);
    };
    const auto at = std::find_if(model_->rows().begin(), model_->rows().end(), same);
    if (at != model_->rows().end())
        setCurrentIndex(model_->index(static_cast<int>(at - model_->rows().begin()), Name));
    else
        Q_EMIT chosen(std::nullopt);
}

const std::vector<BenchmarkRow>& BenchmarkTable::rows() const { return model_->rows(); }

int BenchmarkTable::width_of(int column) const {
    const auto metrics = fontMetrics();
    int width =
        metrics.horizontalAdvance(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    for (int row = 0; row < model_->rowCount(); ++row)
        width = std::max(width, metrics.horizontalAdvance(
                                    model_->data(model_->index(row, column), Qt::DisplayRole).toString()));
    return width + cell_padding;
}

void BenchmarkTable::fit_columns() {
    int used = 0, shown = 0;
    bool room = true;
    for (int column = 0; column < ColumnCount; ++column) {
        const int width = width_of(column);
        room = room && (column < fewest_columns || used + width <= viewport()->width());
        setColumnHidden(column, !room);
        if (!room) continue;
        if (column != Name) horizontalHeader()->resizeSection(column, width);
        used += width;
        ++shown;
    }
    shown_ = shown;
}

TextTable BenchmarkTable::table() const {
    TextTable table = table_of(*model_, BenchmarkModel::NumberRole);
    for (int column = 0; column < ColumnCount; ++column)
        table.headings[column] =
            model_->headerData(column, Qt::Horizontal, BenchmarkModel::NumberRole).toString();
    return table;
}

void BenchmarkTable::resizeEvent(QResizeEvent* event) {
    fit_columns();
    QTableView::resizeEvent(event);
}

void BenchmarkTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() != QEvent::FontChange || !model_) return;
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    fit_columns();
}

} // namespace permafrost::widgets
