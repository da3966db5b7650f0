// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layers_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

LayersTable::LayersTable(QWidget* parent) : QWidget(parent) {
    model_ = new LayersModel(this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(LayersModel::SortRole);
    view_ = new QTableView;
    view_->setObjectName(u"layers.table"_s);
    view_->setAccessibleName(tr("Layers"));
    view_->setModel(sorted_);
    view_->setSortingEnabled(true);
    view_->sortByColumn(LayersModel::Layer, Qt::AscendingOrder);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setShowGrid(false);
    view_->setAlternatingRowColors(true);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 6);
    view_->horizontalHeader()->setHighlightSections(false);
    view_->horizontalHeader()->setMinimumSectionSize(40);
    view_->setTabKeyNavigation(false);
    view_->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view_);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (following_ || !row.isValid()) return;
                auto selection = selection_;
                selection.layer = static_cast<std::uint32_t>(sorted_->mapToSource(row).row());
                Q_EMIT selected(selection);
            });
}

void LayersTable::set_data(const ProfilePtr&, const DecisionPtr& decision) {
    const bool other_rows =
        !decision || !model_->decision() || decision->layers.size() != model_->decision()->layers.size();
    model_->set_decision(decision);
    if (!other_rows) return;
    view_->resizeColumnsToContents();
    set_selection(selection_);
}

void LayersTable::set_selection(const Selection& selection) {
    selection_ = selection;
    const QScopedValueRollback following(following_, true);
    const auto row = sorted_->mapFromSource(model_->index(static_cast<int>(selection.layer), 0));
    if (!row.isValid() || row.row() == view_->currentIndex().row()) return;
    view_->setCurrentIndex(row);
}

QString LayersTable::as_text(bool selected_only) const {
    QString text;
    for (int column = 0; column < sorted_->columnCount(); ++column)
        text += (column ? u"\t"_s : QString()) + sorted_->headerData(column, Qt::Horizontal).toString();
    for (int row = 0; row < sorted_->rowCount(); ++row) {
        if (selected_only && !view_->selectionModel()->isRowSelected(row, {})) continue;
        text += u'\n';
        for (int column = 0; column < sorted_->columnCount(); ++column)
            text += (column ? u"\t"_s : QString()) +
                    sorted_->index(row, column).data(LayersModel::SortRole).toString();
    }
    return text + u'\n';
}

TextTable LayersTable::table() const { return table_of(*sorted_, LayersModel::SortRole); }

void LayersTable::copy() { QApplication::clipboard()->setText(as_text(true)); }

bool LayersTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copy();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace permafrost::widgets
