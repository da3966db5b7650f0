// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/benchmark_figures.h"

#include "widgets/benchmark_plot.h"
#include "widgets/benchmark_table.h"
#include "widgets/labels.h"

#include <QBoxLayout>
#include <QLabel>
#include <QTabBar>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int wide_in_characters = 110;
constexpr int tall_in_lines = 28;

} // namespace

BenchmarkFigures::BenchmarkFigures(QWidget* parent) : QWidget(parent) {
    which_ = new QTabBar;
    which_->setObjectName(u"benchmark.which"_s);
    which_->setAccessibleName(tr("Plot or table"));
    which_->setDrawBase(false);
    which_->setExpanding(false);
    which_->addTab(tr("&Plot"));
    which_->addTab(tr("Ta&ble"));
    plot_ = new BenchmarkPlot;
    table_ = new BenchmarkTable;
    row_ = muted_label();
    row_->setObjectName(u"benchmark.row"_s);
    row_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    numbers_ = new QWidget;
    auto* numbers = new QVBoxLayout(numbers_);
    numbers->setContentsMargins(0, 0, 0, 0);
    numbers->setSpacing(4);
    numbers->addWidget(table_, 1);
    numbers->addWidget(row_);
    sides_ = new QBoxLayout(QBoxLayout::TopToBottom);
    sides_->setSpacing(8);
    sides_->addWidget(plot_, 2);
    sides_->addWidget(numbers_, 3);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(which_);
    column->addLayout(sides_, 1);
    connect(which_, &QTabBar::currentChanged, this, &BenchmarkFigures::arrange);
    connect(table_, &BenchmarkTable::chosen, this, [this](const std::optional<BenchmarkRow>& row) {
        row_->setText(row ? QString(name_of(*row, mask_) + u": "_s + figures_of(*row))
                          : tr("Choose a row to read all its figures."));
    });
    arrange();
}

void BenchmarkFigures::set_rows(const std::vector<BenchmarkRow>& rows, const PresentMask& present) {
    mask_ = present.identity;
    plot_->set_rows(rows, present.identity, present.frozen_share);
    table_->set_rows(rows, present.identity);
}

void BenchmarkFigures::arrange() {
    const bool wide = width() > wide_in_characters * fontMetrics().averageCharWidth();
    const bool both = wide || height() > tall_in_lines * fontMetrics().lineSpacing();
    sides_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    sides_->setStretch(1, wide ? 4 : 3);
    which_->setVisible(!both);
    plot_->setVisible(both || which_->currentIndex() == 0);
    numbers_->setVisible(both || which_->currentIndex() == 1);
}

void BenchmarkFigures::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace permafrost::widgets
