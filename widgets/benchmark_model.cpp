// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/benchmark_model.h"

#include "widgets/benchmark_table.h"
#include "widgets/numbers.h"
#include "widgets/theme.h"

namespace permafrost::widgets {
namespace {

double number(const BenchmarkRow& row, int column) {
    switch (column) {
    case BenchmarkTable::Time:
        return 1e6 * row.speed.seconds;
    case BenchmarkTable::Speedup:
        return row.speed.speedup;
    case BenchmarkTable::OfIdeal:
        return 100 * row.of_ideal();
    case BenchmarkTable::OfLimit:
        return 100 * row.share_of_limit();
    case BenchmarkTable::Spread:
        return 100 * row.spread();
    case BenchmarkTable::Bytes:
        return row.gbps();
    case BenchmarkTable::Operations:
        return row.speed.gflops();
    default:
        return 0;
    }
}

QString text(const BenchmarkRow& row, int column) {
    switch (column) {
    case BenchmarkTable::Time:
        return short_time(row.speed.seconds);
    case BenchmarkTable::Speedup:
        return factor(row.speed.speedup);
    case BenchmarkTable::OfIdeal:
        return percent(row.of_ideal());
    case BenchmarkTable::OfLimit:
        return percent(row.share_of_limit());
    case BenchmarkTable::Spread:
        return percent(row.spread());
    case BenchmarkTable::Bytes:
        return significant(row.gbps(), 3);
    case BenchmarkTable::Operations:
        return significant(row.speed.gflops(), 3);
    default:
        return {};
    }
}

struct Heading {
    QString title, unit, tip;
};

Heading heading_of(int column) {
    switch (column) {
    case BenchmarkTable::Name:
        return {BenchmarkModel::tr("Feed-forward layers"),
                {},
                BenchmarkModel::tr("How they are computed, and what is frozen")};
    case BenchmarkTable::Time:
        return {BenchmarkModel::tr("Time/token"), BenchmarkModel::tr("µs"),
                BenchmarkModel::tr("All layers of the model; median of the repeats")};
    case BenchmarkTable::Speedup:
        return {BenchmarkModel::tr("Speed-up"), BenchmarkModel::tr("×"),
                BenchmarkModel::tr(
                    "Over dense fused layers timed in the same turns; median of the turns' ratios")};
    case BenchmarkTable::OfIdeal:
        return {BenchmarkModel::tr("Of ideal"), BenchmarkModel::tr("%"),
                BenchmarkModel::tr("Speed-up as a share of 1/(1 − frozen share)")};
    case BenchmarkTable::OfLimit:
        return {BenchmarkModel::tr("Of limit"), BenchmarkModel::tr("%"),
                BenchmarkModel::tr(
                    "Of what this machine's memory or its matrix products were measured to deliver, "
                    "whichever bounds it")};
    case BenchmarkTable::Spread:
        return {BenchmarkModel::tr("Spread"), BenchmarkModel::tr("%"),
                BenchmarkModel::tr("From the 10th to the 90th percentile of the times, of the median")};
    case BenchmarkTable::Bytes:
        return {BenchmarkModel::tr("GB/s"),
                {},
                BenchmarkModel::tr("Weights that are read, in 10⁹ bytes a second")};
    default:
        return {
            BenchmarkModel::tr("GFLOP/s"), {}, BenchmarkModel::tr("10⁹ floating-point operations a second")};
    }
}

} // namespace

BenchmarkModel::BenchmarkModel(QObject* parent) : QAbstractTableModel(parent) {}

void BenchmarkModel::set_rows(std::vector<BenchmarkRow> rows, const std::string& mask) {
    beginResetModel();
    rows_ = std::move(rows);
    mask_ = mask;
    endResetModel();
}

int BenchmarkModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BenchmarkModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : BenchmarkTable::ColumnCount;
}

QVariant BenchmarkModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto& row = rows_[static_cast<std::size_t>(index.row())];
    const bool is_name = index.column() == BenchmarkTable::Name;
    switch (role) {
    case Qt::DisplayRole:
        return is_name ? name_of(row, mask_) : text(row, index.column());
    case NumberRole:
        return is_name ? QVariant(name_of(row, mask_)) : QVariant(number(row, index.column()));
    case Qt::ToolTipRole:
        return QString(name_of(row, mask_) + QStringLiteral(": ") + figures_of(row));
    case Qt::TextAlignmentRole:
        return QVariant((is_name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (row.is_of_a_mask() && row.mask != mask_) return theme().muted;
        return {};
    default:
        return {};
    }
}

QVariant BenchmarkModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const auto heading = heading_of(section);
    switch (role) {
    case Qt::DisplayRole:
        return heading.title;
    case NumberRole:
        return heading.unit.isEmpty() ? heading.title
                                      : QString(heading.title + QStringLiteral(" (") + heading.unit + u')');
    case Qt::ToolTipRole:
        return heading.tip;
    case Qt::TextAlignmentRole:
        return QVariant((section == BenchmarkTable::Name ? Qt::AlignLeft : Qt::AlignRight) |
                        Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace permafrost::widgets
