// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layers_table.h"

#include "widgets/labels.h"
#include "widgets/layer_filter.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

LayersTable::LayersTable(QWidget* parent) : QWidget(parent) {
    model_ = new LayersModel(this);
    sorted_ = new LayerFilter(this);
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
    filter_ = new QLineEdit;
    filter_->setObjectName(u"layers.filter"_s);
    filter_->setAccessibleName(tr("Filter the layers"));
    filter_->setPlaceholderText(tr("Filter: 12-20, or frozen > 5"));
    filter_->setClearButtonEnabled(true);
    connect(filter_, &QLineEdit::textChanged, this, &LayersTable::filter);
    filter_->setToolTip(tr("Layers (12-20 or 3, 7) or a column against a number (frozen > 5)"));
    problem_ = muted_label(tr("Not understood yet: write 12-20, or a column's name, <, = or > and a number. "
                              "All layers are shown."));
    problem_->hide();
    column->addWidget(filter_);
    column->addWidget(problem_);
    column->addWidget(view_);
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!updating_) Q_EMIT rows_selected(marked());
    });
    connect(model_, &LayersModel::inclusion_toggled, this, [this](std::uint32_t layer, bool included) {
        auto layers = marked();
        if (std::find(layers.layers.begin(), layers.layers.end(), layer) == layers.layers.end())
            layers = {{layer}};
        Q_EMIT inclusion_changed(layers, included);
    });
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (following_ || updating_ || !row.isValid()) return;
                auto selection = selection_;
                selection.layer = static_cast<std::uint32_t>(sorted_->mapToSource(row).row());
                Q_EMIT selected(selection);
            });
}

void LayersTable::filter(const QString& text) {
    const auto condition = parse_layer_condition(text, *model_);
    const bool understood = condition || text.trimmed().isEmpty();
    problem_->setVisible(!understood);
    const QScopedValueRollback following(following_, true);
    sorted_->set_condition(condition);
    set_selection(selection_);
}

RuleScope LayersTable::marked() const {
    RuleScope scope;
    for (const auto& row : view_->selectionModel()->selectedRows())
        scope.layers.push_back(static_cast<std::uint32_t>(sorted_->mapToSource(row).row()));
    std::sort(scope.layers.begin(), scope.layers.end());
    return scope;
}

void LayersTable::set_data(const ProfilePtr&, const DecisionPtr& decision) {
    const bool other_rows =
        !decision || !model_->decision() || decision->layers.size() != model_->decision()->layers.size();
    {
        // Rows that the filter drops now are no choice of the person's: what is marked and shown stays.
        const QScopedValueRollback updating(updating_, true);
        model_->set_decision(decision);
    }
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
