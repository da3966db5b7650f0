// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap_controls.h"

#include "widgets/colormaps.h"
#include "widgets/icons.h"

#include <QActionGroup>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

HeatmapControls::HeatmapControls(QWidget* parent) : QWidget(parent) {
    options_.colormap = colormap_names().first();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);

    metric_ = new QComboBox;
    metric_->setObjectName(u"heatmap.metric"_s);
    metric_->setAccessibleName(tr("Heatmap metric"));
    for (auto metric : all_metrics()) {
        metric_->addItem(name_of(metric), identifier_of(metric));
        metric_->setItemData(metric_->count() - 1, description_of(metric), Qt::ToolTipRole);
    }
    pooling_ = new QComboBox;
    pooling_->setObjectName(u"heatmap.pooling"_s);
    pooling_->setAccessibleName(tr("How neurons that share a column are pooled"));
    pooling_->setToolTip(tr("How neurons that share a column become one colour"));
    pooling_->addItem(tr("Largest"));
    pooling_->addItem(tr("Mean"));
    pooling_->addItem(tr("Smallest"));
    order_ = new QComboBox;
    order_->setObjectName(u"heatmap.order"_s);
    order_->setAccessibleName(tr("Order of the neurons"));
    order_->setToolTip(tr("How the neurons of each layer lie from left to right"));
    order_->addItem(tr("By index"));
    order_->addItem(tr("Largest first"));
    build_scale_menu();
    row->addWidget(metric_);
    row->addWidget(pooling_);
    row->addWidget(order_);
    row->addWidget(scale_);
    row->addStretch(1);
    row->setSpacing(4);

    auto* band = add_button(u"square-dashed-mouse-pointer"_s, tr("Zoom to a rectangle"));
    band->setCheckable(true);
    connect(band, &QToolButton::toggled, this, &HeatmapControls::rubber_band_toggled);
    connect(add_button(u"zoom-in"_s, tr("Zoom in (+)")), &QToolButton::clicked, this,
            &HeatmapControls::zoom_in_requested);
    connect(add_button(u"zoom-out"_s, tr("Zoom out (-)")), &QToolButton::clicked, this,
            &HeatmapControls::zoom_out_requested);
    connect(add_button(u"maximize"_s, tr("Fit all layers and neurons (0)")), &QToolButton::clicked, this,
            &HeatmapControls::fit_requested);

    connect(metric_, &QComboBox::currentIndexChanged, this, [this] {
        edit([&](auto& o) { o.metric = metric_from_identifier(metric_->currentData().toString()); });
    });
    connect(pooling_, &QComboBox::currentIndexChanged, this,
            [this](int index) { edit([&](auto& o) { o.pooling = static_cast<Pooling>(index); }); });
    connect(order_, &QComboBox::currentIndexChanged, this,
            [this](int index) { edit([&](auto& o) { o.order = static_cast<NeuronOrder>(index); }); });
    restyle();
    set_options(options_);
}

void HeatmapControls::build_scale_menu() {
    scale_ = new QToolButton;
    scale_->setText(tr("Colours"));
    scale_->setAccessibleName(tr("Colour scale of the heatmap"));
    scale_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(scale_);
    auto* group = new QActionGroup(menu);
    for (const auto& name : colormap_names()) {
        auto* action = menu->addAction(name);
        action->setCheckable(true);
        group->addAction(action);
        colormaps_.append(action);
        connect(action, &QAction::triggered, this,
                [this, name] { edit([&](auto& o) { o.colormap = name; }); });
    }
    menu->addSeparator();
    logarithmic_ = menu->addAction(tr("Logarithmic scale"));
    clip_ = menu->addAction(tr("Clip to the 1st and 99th percentile"));
    for (auto* action : {logarithmic_, clip_}) action->setCheckable(true);
    connect(logarithmic_, &QAction::triggered, this,
            [this](bool on) { edit([&](auto& o) { o.logarithmic = on; }); });
    connect(clip_, &QAction::triggered, this, [this](bool on) { edit([&](auto& o) { o.clip = on; }); });
    scale_->setMenu(menu);
}

QToolButton* HeatmapControls::add_button(const QString& icon_name, const QString& text) {
    auto* button = new QToolButton;
    button->setProperty("icon_name", icon_name);
    button->setToolTip(text);
    button->setAccessibleName(text);
    button->setAutoRaise(true);
    layout()->addWidget(button);
    buttons_.append(button);
    return button;
}

void HeatmapControls::edit(const std::function<void(HeatmapOptions&)>& change) {
    auto changed = options_;
    change(changed);
    set_options(changed);
    Q_EMIT options_changed();
}

void HeatmapControls::set_options(const HeatmapOptions& options) {
    options_ = options;
    if (!colormap_names().contains(options_.colormap)) options_.colormap = colormap_names().first();
    const QSignalBlocker quiet_metric(metric_);
    const QSignalBlocker quiet_pooling(pooling_);
    const QSignalBlocker quiet_order(order_);
    order_->setCurrentIndex(static_cast<int>(options_.order));
    order_->setItemText(1, options_.metric == Metric::Frozen ? tr("Frozen first") : tr("Largest first"));
    metric_->setCurrentIndex(metric_->findData(identifier_of(options_.metric)));
    metric_->setToolTip(description_of(options_.metric));
    pooling_->setCurrentIndex(static_cast<int>(options_.pooling));
    pooling_->setVisible(options_.metric != Metric::Frozen); // always the share of a column
    logarithmic_->setChecked(options_.logarithmic);
    logarithmic_->setEnabled(is_logarithmic(options_.metric));
    clip_->setChecked(options_.clip);
    clip_->setEnabled(!is_share(options_.metric));
    for (auto* action : colormaps_) action->setChecked(action->text() == options_.colormap);
}

void HeatmapControls::restyle() {
    for (auto* button : buttons_) button->setIcon(icon(button->property("icon_name").toString()));
}

void HeatmapControls::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) restyle();
    QWidget::changeEvent(event);
}

} // namespace permafrost::widgets
