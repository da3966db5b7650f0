// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/neurons_table.h"

#include "widgets/labels.h"
#include "widgets/neurons_model.h"
#include "widgets/numbers.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

NeuronsTable::NeuronsTable(QWidget* parent) : QWidget(parent) {
    model_ = new NeuronsModel(this);
    search_ = new QLineEdit;
    search_->setObjectName(u"neurons.search"_s);
    search_->setAccessibleName(tr("Search neurons"));
    search_->setPlaceholderText(tr("Search: frozen, guarded, 1234, variance<0.001, rms>1 …"));
    search_->setClearButtonEnabled(true);
    search_->setToolTip(tr(
        "Conditions between spaces must all hold: a state, a neuron's number, or a column with < or > and a "
        "number. Shares are in percent."));
    count_ = muted_label();
    count_->setWordWrap(false);
    view_ = new QTableView;
    view_->setObjectName(u"neurons.table"_s);
    view_->setAccessibleName(tr("Neurons of the layer"));
    view_->setModel(model_);
    view_->setSortingEnabled(true);
    view_->sortByColumn(NeuronsModel::Neuron, Qt::AscendingOrder);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setShowGrid(false);
    view_->setAlternatingRowColors(true);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 6);
    view_->horizontalHeader()->setHighlightSections(false);
    view_->setTabKeyNavigation(false);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    row->addWidget(search_, 1);
    row->addWidget(count_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(view_, 1);
    connect(search_, &QLineEdit::textChanged, this, &NeuronsTable::take_search);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row_index) {
                if (following_ || !row_index.isValid()) return;
                auto selection = selection_;
                selection.neuron = model_->neuron_at(row_index.row());
                Q_EMIT selected(selection);
            });
}

void NeuronsTable::set_data(const ProfilePtr& profile, const DecisionPtr& decision) {
    profile_ = profile;
    decision_ = decision;
    stale_ = true;
    if (isVisible()) refresh();
}

void NeuronsTable::set_selection(const Selection& selection) {
    const bool other_layer = selection.layer != selection_.layer;
    selection_ = selection;
    if (other_layer) stale_ = true;
    if (!isVisible()) return;
    if (stale_)
        refresh();
    else
        follow_selection();
}

void NeuronsTable::refresh() {
    stale_ = false;
    const bool first = model_->neurons() == 0;
    const QScopedValueRollback following(following_, true);
    model_->set_layer(profile_, decision_, selection_.layer);
    if (first) view_->resizeColumnsToContents();
    show_count();
    follow_selection();
}

void NeuronsTable::take_search() {
    const QScopedValueRollback following(following_, true);
    const bool understood = model_->set_search(search_->text());
    count_->setEnabled(understood);
    if (!understood) return count_->setText(tr("not understood yet"));
    show_count();
    follow_selection();
}

void NeuronsTable::follow_selection() {
    const QScopedValueRollback following(following_, true);
    const int row = selection_.neuron ? model_->row_of(*selection_.neuron) : -1;
    if (row < 0) return view_->clearSelection();
    const auto index = model_->index(row, 0);
    if (view_->currentIndex().row() != row) view_->setCurrentIndex(index);
    view_->selectRow(row);
    view_->scrollTo(index);
}

void NeuronsTable::show_count() {
    count_->setText(
        tr("%1 of %2 neurons")
            .arg(count(static_cast<std::uint64_t>(model_->rowCount())), count(model_->neurons())));
}

TextTable NeuronsTable::table() const { return table_of(*model_, NeuronsModel::SortRole); }

void NeuronsTable::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) refresh();
}

} // namespace permafrost::widgets
