// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trend_view.h"

#include "core/profile/cliff_score.h"
#include "widgets/decade_ticker.h"
#include "widgets/labels.h"
#include "widgets/layer_ticker.h"
#include "widgets/numbers.h"
#include "widgets/plot_style.h"
#include "widgets/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

QString range_text(const verdict::Band& band) {
    return band.first == band.last ? QString::number(band.first) : u"%1–%2"_s.arg(band.first).arg(band.last);
}

} // namespace

TrendView::TrendView(QWidget* parent) : QWidget(parent) {
    plot_ = new QCustomPlot;
    plot_->setObjectName(u"trend.plot"_s);
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->setAccessibleName(tr("Depth trend"));
    plot_->setMinimumHeight(130);
    plot_->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(build_controls());
    column->addWidget(plot_, 1);
    setFocusProxy(plot_);
    refresh_.setSingleShot(true);
    refresh_.setInterval(0);
    connect(&refresh_, &QTimer::timeout, this, &TrendView::refresh);
    build_plot();
    connect_mouse();
    restyle();
}

TrendView::~TrendView() = default;

void TrendView::build_plot() {
    add_overlay_layer(*plot_);
    legend_ = add_legend_row(*plot_);
    plot_->xAxis->setTicker(QSharedPointer<LayerTicker>::create());
    plot_->xAxis->setLabel(tr("layer"));
    plot_->yAxis->setLabel(tr("share (%)"));
    plot_->yAxis2->setVisible(true);
    plot_->xAxis->grid()->setVisible(false);
    plot_->axisRect()->setMinimumMargins(QMargins(8, 4, 8, 8));

    frozen_ = plot_->addGraph(plot_->xAxis, plot_->yAxis);
    frozen_->setName(tr("frozen (%)"));
    saturated_ = plot_->addGraph(plot_->xAxis, plot_->yAxis);
    saturated_->setName(tr("saturated (%)"));
    right_ = plot_->addGraph(plot_->xAxis, plot_->yAxis2);
    for (auto* graph : {frozen_, saturated_, right_}) graph->addToLegend(legend_);

    for (std::size_t i = 0; i < bands_.size(); ++i) {
        bands_[i] = new QCPItemRect(plot_);
        bands_[i]->setLayer(u"background"_s);
        bands_[i]->topLeft->setTypeX(QCPItemPosition::ptPlotCoords);
        bands_[i]->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
        bands_[i]->bottomRight->setTypeX(QCPItemPosition::ptPlotCoords);
        bands_[i]->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
        bands_[i]->setPen(Qt::NoPen);
        band_names_[i] = new QCPItemText(plot_);
        band_names_[i]->setLayer(u"main"_s);
        band_names_[i]->position->setTypeX(QCPItemPosition::ptPlotCoords);
        band_names_[i]->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        band_names_[i]->setPositionAlignment(Qt::AlignHCenter | Qt::AlignTop);
    }
    marker_ = new QCPItemStraightLine(plot_);
    marker_->setLayer(QString::fromUtf16(overlay_layer));
    marker_->setVisible(false);
}

QWidget* TrendView::build_controls() {
    quantity_ = new QComboBox;
    quantity_->setObjectName(u"trend.quantity"_s);
    quantity_->setAccessibleName(tr("Right axis of the trend"));
    quantity_->setToolTip(tr("What the right axis shows of each layer"));
    quantity_->addItems({tr("Speed-up"), tr("Variance"), tr("Activity"), tr("Cliff score")});
    quantity_->setItemData(
        static_cast<int>(TrendQuantity::Cliff),
        tr("How suddenly along a sequence the layer's neurons fall silent: to 0.3 gradual, "
           "to 0.6 moderate, above sharp"),
        Qt::ToolTipRole);
    connect(quantity_, &QComboBox::currentIndexChanged, this, [this] { refresh_.start(); });
    compare_ = new QToolButton;
    compare_->setObjectName(u"trend.compare"_s);
    compare_->setText(tr("Compare"));
    compare_->setToolTip(tr("Lay the frozen share of other profiles, under the same rule, over this one"));
    compare_->setAccessibleName(tr("Compare with other profiles"));
    compare_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(compare_);
    menu->addAction(tr("With another profile…"), this, &TrendView::compare_requested);
    end_compare_ = menu->addAction(tr("Take all away"), this, &TrendView::compare_ended);
    end_compare_->setEnabled(false);
    compare_->setMenu(menu);
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 0);
    auto* title = muted_label(tr("Frozen share by depth"));
    title->setWordWrap(false);
    row->addWidget(title);
    row->addStretch(1);
    row->addWidget(compare_);
    auto* label = muted_label(tr("Right axis"));
    label->setWordWrap(false);
    row->addWidget(label);
    row->addWidget(quantity_);
    return bar;
}

TrendQuantity TrendView::quantity() const { return static_cast<TrendQuantity>(quantity_->currentIndex()); }

void TrendView::set_quantity(TrendQuantity quantity) {
    quantity_->setCurrentIndex(static_cast<int>(quantity));
}

void TrendView::set_overlays(const std::vector<TrendOverlay>& overlays) {
    overlays_ = overlays;
    end_compare_->setEnabled(!overlays.empty());
    refresh_.start();
}

double TrendView::right_value(std::size_t layer) {
    const auto& metrics = decision_->layers[layer];
    if (!metrics.profiled) return std::nan("");
    if (quantity() == TrendQuantity::Speedup) return metrics.speedup;
    if (quantity() == TrendQuantity::Variance) return metrics.average_variance;
    const auto& source = profile_->layers[metrics.layer];
    const auto rule = decision_->rule.for_layer(metrics.layer);
    const bool cliff = quantity() == TrendQuantity::Cliff;
    const double parameter = cliff ? rule.inactive_share : rule.activation_threshold;
    auto& known = counted_[metrics.layer];
    if (known.source != source || known.quantity != quantity() || known.parameter != parameter)
        known = {source, quantity(), parameter,
                 cliff ? profile::cliff_score(source->statistics(), parameter).value_or(std::nan(""))
                       : 100 * source->activity(parameter)};
    return known.value;
}

void TrendView::draw_overlays() {
    while (overlay_graphs_.size() > overlays_.size()) {
        overlay_graphs_.back()->removeFromLegend(legend_); // the plot itself only looks into its own legend
        plot_->removeGraph(overlay_graphs_.back());
        overlay_graphs_.pop_back();
    }
    while (overlay_graphs_.size() < overlays_.size()) {
        auto* graph = plot_->addGraph(plot_->xAxis, plot_->yAxis);
        graph->addToLegend(legend_);
        overlay_graphs_.push_back(graph);
    }
    const std::array patterns{Qt::DashDotLine, Qt::DashDotDotLine, Qt::DashLine};
    for (std::size_t i = 0; i < overlays_.size(); ++i) {
        QVector<double> keys, shares;
        for (std::size_t layer = 0; layer < overlays_[i].frozen.size(); ++layer) {
            keys.append(static_cast<double>(layer));
            shares.append(100 * overlays_[i].frozen[layer]);
        }
        overlay_graphs_[i]->setName(tr("frozen in %1 (%)").arg(overlays_[i].name));
        overlay_graphs_[i]->setPen(QPen(theme().series[3], 1.5, patterns[i % patterns.size()]));
        overlay_graphs_[i]->setData(keys, shares, true);
    }
}

void TrendView::connect_mouse() {
    connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        if (event->button() == Qt::LeftButton && plot_->axisRect()->rect().contains(event->pos()))
            select_layer(layer_at(event->pos().x()));
    });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        const int layer = layer_at(event->pos().x());
        if (layer < 0 || !plot_->axisRect()->rect().contains(event->pos())) {
            Q_EMIT hovered({});
            return;
        }
        const auto& metrics = decision_->layers[static_cast<std::size_t>(layer)];
        Q_EMIT hovered(metrics.profiled ? tr("layer %1 · frozen %2 · saturated %3 · speed-up %4")
                                              .arg(layer)
                                              .arg(percent(metrics.frozen_share),
                                                   percent(metrics.saturated_share), factor(metrics.speedup))
                                        : tr("layer %1 · not profiled yet").arg(layer));
    });
}

int TrendView::layer_at(double pixel) const {
    if (!decision_ || decision_->layers.empty()) return -1;
    const auto layer = std::lround(plot_->xAxis->pixelToCoord(pixel));
    return layer >= 0 && layer < static_cast<long>(decision_->layers.size()) ? static_cast<int>(layer) : -1;
}

void TrendView::select_layer(int layer) {
    if (layer < 0) return;
    auto selection = selection_;
    selection.layer = static_cast<std::uint32_t>(layer);
    Q_EMIT selected(selection);
}

void TrendView::set_data(const ProfilePtr& profile, const DecisionPtr& decision) {
    profile_ = profile;
    decision_ = decision;
    refresh_.start();
}

void TrendView::set_selection(const Selection& selection) {
    selection_ = selection;
    mark_selection();
}

void TrendView::refresh() {
    if (!isVisible()) return;
    QVector<double> keys, frozen, saturated, right;
    double highest_share = 1, highest = 0, lowest = std::numeric_limits<double>::infinity();
    if (decision_) {
        counted_.resize(decision_->layers.size());
        for (const auto& layer : decision_->layers) {
            const double gap = std::nan("");
            keys.append(layer.layer);
            frozen.append(layer.profiled ? layer.frozen_share * 100 : gap);
            saturated.append(layer.profiled ? layer.saturated_share * 100 : gap);
            const double value = right_value(layer.layer);
            right.append(value);
            highest_share = std::max(highest_share, layer.frozen_share * 100);
            if (!std::isfinite(value)) continue;
            highest = std::max(highest, value);
            if (value > 0) lowest = std::min(lowest, value);
        }
    }
    double most_layers = static_cast<double>(keys.size());
    for (const auto& overlay : overlays_) {
        most_layers = std::max(most_layers, static_cast<double>(overlay.frozen.size()));
        for (const double share : overlay.frozen)
            if (std::isfinite(share)) highest_share = std::max(highest_share, share * 100);
    }
    frozen_->setData(keys, frozen, true);
    saturated_->setData(keys, saturated, true);
    right_->setData(keys, right, true);
    draw_overlays();
    plot_->xAxis->setRange(-0.5, std::max(1.0, most_layers) - 0.5);
    plot_->yAxis->setRange(0, std::min(100.0, highest_share * 1.18));
    const bool logarithmic = quantity() == TrendQuantity::Variance && std::isfinite(lowest);
    plot_->yAxis2->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot_->yAxis2->setTicker(ticker_for(logarithmic));
    plot_->yAxis2->setNumberFormat(logarithmic ? u"eb"_s : u"gb"_s);
    plot_->yAxis2->setNumberPrecision(logarithmic ? 0 : 4);
    switch (quantity()) {
    case TrendQuantity::Speedup:
        plot_->yAxis2->setRange(1, 1 + (std::max(highest, 1.02) - 1) * 1.18);
        plot_->yAxis2->setLabel(tr("speed-up (×)"));
        right_->setName(tr("speed-up of the layer, upper bound (×)"));
        break;
    case TrendQuantity::Variance:
        if (logarithmic) plot_->yAxis2->setRange(lowest / 2, highest * 4);
        plot_->yAxis2->setLabel(tr("variance (h²)"));
        right_->setName(tr("variance of h, mean of the layer (h²)"));
        break;
    case TrendQuantity::Activity:
        plot_->yAxis2->setRange(0, std::min(100.0, std::max(1.0, highest * 1.18)));
        plot_->yAxis2->setLabel(tr("activity (%)"));
        right_->setName(tr("tokens with |h| at or above the threshold (%)"));
        break;
    case TrendQuantity::Cliff:
        plot_->yAxis2->setRange(0, 1.3); // 1 is common, and the names of the bands stand above it
        plot_->yAxis2->setLabel(tr("cliff score"));
        right_->setName(tr("cliff score (0 to 1)"));
        break;
    }
    place_bands();
    if (decision_)
        plot_->setAccessibleDescription(tr("Frozen share by depth: early %1, mid %2, late %3.")
                                            .arg(percent(decision_->bands[0].frozen_share),
                                                 percent(decision_->bands[1].frozen_share),
                                                 percent(decision_->bands[2].frozen_share)));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void TrendView::place_bands() {
    const std::array names{tr("early"), tr("mid"), tr("late")};
    for (std::size_t i = 0; i < bands_.size(); ++i) {
        const bool shown = decision_ && !decision_->layers.empty() && !decision_->bands[i].empty;
        bands_[i]->setVisible(shown);
        band_names_[i]->setVisible(shown);
        if (!shown) continue;
        const auto& band = decision_->bands[i];
        bands_[i]->topLeft->setCoords(band.first - 0.5, 0);
        bands_[i]->bottomRight->setCoords(band.last + 0.5, 1);
        band_names_[i]->position->setCoords((band.first + band.last) / 2.0, 0.01);
        band_names_[i]->setText(names[i] + u" "_s + range_text(band));
    }
}

void TrendView::mark_selection() {
    marker_->setVisible(decision_ && selection_.layer < decision_->layers.size());
    marker_->point1->setCoords(selection_.layer, 0);
    marker_->point2->setCoords(selection_.layer, 1);
    plot_->layer(QString::fromUtf16(overlay_layer))->replot();
}

void TrendView::restyle() {
    style_plot(*plot_);
    const auto& colours = theme();
    const std::array shapes{QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle};
    std::size_t index = 0;
    for (auto* graph : {frozen_, saturated_, right_}) {
        graph->setPen(line_pen(colours.series[index]));
        graph->setScatterStyle(
            QCPScatterStyle(shapes[index], colours.series[index], colours.series[index], 5));
        ++index;
    }
    saturated_->setPen(QPen(colours.series[1], 1.5, Qt::DotLine)); // often the same line as frozen
    right_->setPen(QPen(colours.series[2], 1.5, Qt::DashLine));
    for (std::size_t i = 0; i < bands_.size(); ++i) {
        auto tint = colours.bands[i];
        tint.setAlphaF(colours.dark ? 0.14F : 0.12F);
        bands_[i]->setBrush(tint);
        // The grid must not strike the name out.
        auto behind = theme().surface;
        behind.setAlphaF(0.85F);
        band_names_[i]->setBrush(behind);
        band_names_[i]->setPadding(QMargins(4, 0, 4, 0));
        band_names_[i]->setColor(colours.muted);
        band_names_[i]->setFont(font());
    }
    marker_->setPen(QPen(colours.accent, 1, Qt::DotLine));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void TrendView::keyPressEvent(QKeyEvent* event) {
    const int layers = decision_ ? static_cast<int>(decision_->layers.size()) : 0;
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (step == 0 || layers == 0) return QWidget::keyPressEvent(event);
    select_layer(std::clamp(static_cast<int>(selection_.layer) + step, 0, layers - 1));
}

bool TrendView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == plot_ && event->type() == QEvent::Leave) Q_EMIT hovered({});
    return QWidget::eventFilter(watched, event);
}

void TrendView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh_.start();
}

void TrendView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
    QWidget::changeEvent(event);
}

} // namespace permafrost::widgets
