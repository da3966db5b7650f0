// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layer_view.h"

#include "widgets/histogram_view.h"
#include "widgets/labels.h"
#include "widgets/mask_grid.h"
#include "widgets/neurons_table.h"
#include "widgets/numbers.h"
#include "widgets/scatter_view.h"
#include "widgets/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

LayerView::LayerView(QWidget* parent) : QWidget(parent) {
    layer_ = new QSpinBox;
    layer_->setObjectName(u"layer.number"_s);
    layer_->setAccessibleName(tr("Layer"));
    auto* label = new QLabel(tr("L&ayer"));
    label->setBuddy(layer_);
    figures_ = new QLabel;
    figures_->setObjectName(u"layer.figures"_s);
    figures_->setWordWrap(true);
    histogram_ = new HistogramView;
    mask_ = new MaskGrid;
    legend_ = muted_label();

    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 8, 8, 0);
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(layer_);
    row->addSpacing(8);
    row->addWidget(figures_, 1);
    scatter_ = new ScatterView;
    neurons_ = new NeuronsTable;
    auto* upper = new QTabWidget;
    upper->setObjectName(u"layer.plots"_s);
    upper->setAccessibleName(tr("Plots of the layer"));
    upper->setDocumentMode(true);
    upper->addTab(histogram_, tr("&Histogram"));
    upper->addTab(scatter_, tr("S&catter"));
    auto* lower = new QTabWidget;
    lower->setObjectName(u"layer.lists"_s);
    lower->setAccessibleName(tr("Neurons of the layer"));
    lower->setDocumentMode(true);
    lower->addTab(build_mask_page(), tr("&Bitmask"));
    lower->addTab(neurons_, tr("&Neurons"));
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->setObjectName(u"layer.splitter"_s);
    splitter->addWidget(upper);
    splitter->addWidget(lower);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(splitter, 1);

    connect(layer_, &QSpinBox::valueChanged, this, [this](int layer) {
        auto selection = selection_;
        selection.layer = static_cast<std::uint32_t>(layer);
        Q_EMIT selected(selection);
    });
    connect(mask_, &MaskGrid::selected, this, &LayerView::selected);
    connect(scatter_, &ScatterView::selected, this, &LayerView::selected);
    connect(neurons_, &NeuronsTable::selected, this, &LayerView::selected);
    show_legend();
}

QWidget* LayerView::build_mask_page() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 4, 0, 4);
    column->setSpacing(0);
    auto* caption = new QHBoxLayout;
    caption->setContentsMargins(8, 0, 8, 0);
    caption->addWidget(legend_, 1);
    column->addLayout(caption);
    column->addWidget(mask_, 1);
    return page;
}

void LayerView::set_data(const ProfilePtr& profile, const DecisionPtr& decision) {
    profile_ = profile;
    decision_ = decision;
    const QSignalBlocker quiet(layer_);
    layer_->setRange(0, profile ? std::max(0, static_cast<int>(profile->layers.size()) - 1) : 0);
    layer_->setSuffix(profile ? tr(" of 0–%1").arg(layer_->maximum()) : QString());
    histogram_->set_data(profile, decision);
    mask_->set_data(profile, decision);
    scatter_->set_data(profile, decision);
    neurons_->set_data(profile, decision);
    show_figures();
}

void LayerView::set_selection(const Selection& selection) {
    selection_ = selection;
    const QSignalBlocker quiet(layer_);
    layer_->setValue(static_cast<int>(selection.layer));
    histogram_->set_selection(selection);
    mask_->set_selection(selection);
    scatter_->set_selection(selection);
    neurons_->set_selection(selection);
    show_figures();
}

void LayerView::show_figures() {
    if (!decision_ || selection_.layer >= decision_->layers.size()) return figures_->clear();
    const auto& layer = decision_->layers[selection_.layer];
    if (!layer.profiled)
        return figures_->setText(tr("%1 neurons, not profiled yet").arg(count(layer.neurons)));
    figures_->setText(tr("%1 neurons · frozen <b>%2</b> (%3) · saturated %4 · guarded %5 · speed-up "
                         "<b>%6</b> (upper bound)")
                          .arg(count(layer.neurons), percent(layer.frozen_share), count(layer.frozen),
                               percent(layer.saturated_share), count(layer.guarded), factor(layer.speedup)));
}

void LayerView::show_legend() {
    const auto entry = [](const QColor& colour, const QString& text) {
        return u"<span style='color:%1'>■</span> %2"_s.arg(colour.name(), text);
    };
    legend_->setText(entry(theme().frozen, tr("frozen")) + u" &nbsp; "_s +
                     entry(theme().guarded, tr("guarded")) + u" &nbsp; "_s +
                     entry(theme().unprofiled_hatch, tr("active")) + u" &nbsp; · "_s +
                     tr("left: index of the row's first byte"));
}

void LayerView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) show_legend();
    QWidget::changeEvent(event);
}

} // namespace permafrost::widgets
