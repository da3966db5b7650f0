// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scatter_view.h"

#include "widgets/decade_ticker.h"
#include "widgets/numbers.h"
#include "widgets/plot_style.h"
#include "widgets/theme.h"

#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

// Axes are logarithmic; what is zero or nearly so stands at their beginning.
constexpr double least_mean = 1e-7, least_variance = 1e-10;
constexpr int reach = 12; // pixels: a grip of 24

} // namespace

ScatterView::ScatterView(QWidget* parent) : QWidget(parent) {
    plot_ = new QCustomPlot;
    plot_->setObjectName(u"scatter.plot"_s);
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->setMinimumHeight(150);
    plot_->setAccessibleName(tr("|Mean| against variance of the selected layer's neurons"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(plot_);
    setFocusProxy(plot_);
    refresh_.setSingleShot(true);
    refresh_.setInterval(0);
    connect(&refresh_, &QTimer::timeout, this, &ScatterView::refresh);
    build_plot();
    connect_mouse();
    restyle();
}

void ScatterView::build_plot() {
    add_overlay_layer(*plot_);
    auto* legend = add_legend_row(*plot_);
    const auto add = [&](const QString& name) {
        auto* graph = plot_->addGraph();
        graph->setName(name);
        graph->setLineStyle(QCPGraph::lsNone);
        graph->addToLegend(legend);
        return graph;
    };
    active_ = add(tr("active"));
    guarded_ = add(tr("guarded"));
    frozen_ = add(tr("frozen"));
    for (auto* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(ticker_for(true));
        axis->setNumberFormat(u"eb"_s);
        axis->setNumberPrecision(0);
    }
    plot_->xAxis->setLabel(tr("variance of h (h²)"));
    plot_->yAxis->setLabel(tr("|mean of h| (|h|)"));
    plot_->axisRect()->setMinimumMargins(QMargins(8, 4, 8, 8));
    region_ = new QCPItemRect(plot_);
    variance_ = new QCPItemStraightLine(plot_);
    mean_ = new QCPItemStraightLine(plot_);
    marker_ = new QCPItemTracer(plot_);
    marker_->setStyle(QCPItemTracer::tsCircle);
    marker_->setSize(13);
    for (QCPAbstractItem* item :
         std::initializer_list<QCPAbstractItem*>{region_, variance_, mean_, marker_}) {
        item->setLayer(QString::fromUtf16(overlay_layer));
        item->setSelectable(false);
        item->setVisible(false);
    }
}

void ScatterView::connect_mouse() {
    connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        if (event->button() != Qt::LeftButton) return;
        pressed_ = event->pos();
        dragged_ = edge_at(event->pos());
        if (dragged_) Q_EMIT gesture_began();
    });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        if (dragged_ && event->buttons().testFlag(Qt::LeftButton)) {
            const bool vertical = *dragged_ == RuleField::Variance;
            const auto* rect = plot_->axisRect();
            const double value =
                vertical
                    ? plot_->xAxis->pixelToCoord(std::clamp(event->pos().x(), rect->left(), rect->right()))
                    : plot_->yAxis->pixelToCoord(std::clamp(event->pos().y(), rect->top(), rect->bottom()));
            Q_EMIT edited(*dragged_, value);
            return;
        }
        const auto edge = edge_at(event->pos());
        plot_->setCursor(!edge                          ? Qt::ArrowCursor
                         : *edge == RuleField::Variance ? Qt::SizeHorCursor
                                                        : Qt::SizeVerCursor);
        const auto neuron = neuron_at(event->pos());
        const auto* layer = layer_of(profile_, selection_.layer);
        Q_EMIT hovered(neuron && layer
                           ? tr("layer %1, neuron %2 · variance %3 h² · |mean| %4")
                                 .arg(selection_.layer)
                                 .arg(*neuron)
                                 .arg(significant(static_cast<double>(layer->variance()[*neuron])),
                                      significant(std::fabs(static_cast<double>(layer->mean()[*neuron]))))
                           : QString());
    });
    connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        const bool clicked = !dragged_ && (event->pos() - pressed_).manhattanLength() < 4;
        dragged_.reset();
        if (!clicked) return;
        if (const auto neuron = neuron_at(event->pos())) {
            auto selection = selection_;
            selection.neuron = neuron;
            Q_EMIT selected(selection);
        }
    });
}

void ScatterView::set_data(const ProfilePtr& profile, const DecisionPtr& decision) {
    profile_ = profile;
    decision_ = decision;
    refresh_.start();
}

void ScatterView::set_selection(const Selection& selection) {
    const bool other_layer = selection.layer != selection_.layer;
    selection_ = selection;
    if (other_layer)
        refresh_.start();
    else
        mark_selection();
}

void ScatterView::refresh() {
    if (!isVisible()) return;
    const auto* layer = layer_of(profile_, selection_.layer);
    QVector<double> keys[3], values[3];
    double highest_variance = 1, highest_mean = 1;
    if (layer && decision_) {
        const auto& mask = decision_->masks[selection_.layer];
        for (std::uint32_t neuron = 0; neuron < layer->neurons(); ++neuron) {
            const int state = mask.frozen.size() == 0     ? 0
                              : mask.frozen.test(neuron)  ? 2
                              : mask.guarded.test(neuron) ? 1
                                                          : 0;
            const double variance = std::max(static_cast<double>(layer->variance()[neuron]), least_variance);
            const double mean = std::max(std::fabs(static_cast<double>(layer->mean()[neuron])), least_mean);
            if (!std::isfinite(variance) || !std::isfinite(mean)) continue;
            keys[state].append(variance);
            values[state].append(mean);
            highest_variance = std::max(highest_variance, variance);
            highest_mean = std::max(highest_mean, mean);
        }
    }
    QCPGraph* const graphs[] = {active_, guarded_, frozen_};
    for (int state = 0; state < 3; ++state) graphs[state]->setData(keys[state], values[state]);
    plot_->xAxis->setRange(least_variance / 2, highest_variance * 2);
    plot_->yAxis->setRange(least_mean / 2, highest_mean * 2);
    plot_->setAccessibleDescription(tr("%1 frozen, %2 guarded, %3 active neurons in layer %4.")
                                        .arg(keys[2].size())
                                        .arg(keys[1].size())
                                        .arg(keys[0].size())
                                        .arg(selection_.layer));
    show_region();
    mark_selection();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ScatterView::show_region() {
    const auto rule = decision_ ? decision_->rule.for_layer(selection_.layer) : masks::FreezeRule{};
    const bool criteria = decision_ && rule.method == masks::FreezeRule::Method::Criteria;
    const bool by_variance = criteria && rule.use_variance;
    const bool by_mean = criteria && rule.use_gradient;
    variance_->setVisible(by_variance);
    mean_->setVisible(by_mean);
    const bool both = by_variance && by_mean && rule.combine == masks::FreezeRule::Combine::All;
    region_->setVisible(criteria && (both || (by_variance != by_mean)));
    if (!criteria) return;
    const auto range_x = plot_->xAxis->range(), range_y = plot_->yAxis->range();
    const double right = by_variance ? std::max(rule.variance_threshold, range_x.lower) : range_x.upper;
    const double top = by_mean ? std::max(rule.gradient_threshold, range_y.lower) : range_y.upper;
    region_->topLeft->setCoords(range_x.lower, top);
    region_->bottomRight->setCoords(right, range_y.lower);
    variance_->point1->setCoords(right, range_y.lower);
    variance_->point2->setCoords(right, range_y.upper);
    mean_->point1->setCoords(range_x.lower, top);
    mean_->point2->setCoords(range_x.upper, top);
}

void ScatterView::mark_selection() {
    const auto* layer = layer_of(profile_, selection_.layer);
    const bool any = layer && selection_.neuron && *selection_.neuron < layer->neurons();
    marker_->setVisible(any);
    if (any)
        marker_->position->setCoords(
            std::max(static_cast<double>(layer->variance()[*selection_.neuron]), least_variance),
            std::max(std::fabs(static_cast<double>(layer->mean()[*selection_.neuron])), least_mean));
    plot_->layer(QString::fromUtf16(overlay_layer))->replot();
}

std::optional<RuleField> ScatterView::edge_at(const QPoint& position) const {
    if (!decision_ || !plot_->axisRect()->rect().adjusted(-reach, -reach, reach, reach).contains(position))
        return std::nullopt;
    const auto near = [](double pixel, int place) { return std::fabs(pixel - place) <= reach / 2.0; };
    if (variance_->visible() && near(plot_->xAxis->coordToPixel(variance_->point1->key()), position.x()))
        return RuleField::Variance;
    if (mean_->visible() && near(plot_->yAxis->coordToPixel(mean_->point1->value()), position.y()))
        return RuleField::Gradient;
    return std::nullopt;
}

std::optional<std::uint32_t> ScatterView::neuron_at(const QPoint& position) const {
    const auto* layer = layer_of(profile_, selection_.layer);
    if (!layer) return std::nullopt;
    std::optional<std::uint32_t> nearest;
    double distance = 8;
    for (std::uint32_t neuron = 0; neuron < layer->neurons(); ++neuron) {
        const double x = plot_->xAxis->coordToPixel(
            std::max(static_cast<double>(layer->variance()[neuron]), least_variance));
        if (std::fabs(x - position.x()) > distance) continue;
        const double y = plot_->yAxis->coordToPixel(
            std::max(std::fabs(static_cast<double>(layer->mean()[neuron])), least_mean));
        const double here = std::hypot(x - position.x(), y - position.y());
        if (here > distance) continue;
        distance = here;
        nearest = neuron;
    }
    return nearest;
}

void ScatterView::restyle() {
    style_plot(*plot_);
    const auto dots = [](QCPGraph* graph, const QColor& colour, QCPScatterStyle::ScatterShape shape,
                         double size) {
        graph->setPen(QPen(colour));
        graph->setScatterStyle(QCPScatterStyle(shape, QPen(colour), QBrush(colour), size));
        graph->setAntialiasedScatters(false);
    };
    dots(active_, theme().unprofiled_hatch, QCPScatterStyle::ssSquare, 2);
    dots(guarded_, theme().guarded, QCPScatterStyle::ssSquare, 4);
    dots(frozen_, theme().frozen, QCPScatterStyle::ssSquare, 3);
    variance_->setPen(threshold_pen());
    mean_->setPen(threshold_pen());
    region_->setPen(Qt::NoPen);
    auto shade = theme().accent;
    shade.setAlphaF(0.12F);
    region_->setBrush(shade);
    marker_->setPen(QPen(theme().accent, 2));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ScatterView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh_.start();
}

void ScatterView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
    QWidget::changeEvent(event);
}

} // namespace permafrost::widgets
