// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/histogram_view.h"

#include "widgets/decade_ticker.h"
#include "widgets/labels.h"
#include "widgets/numbers.h"
#include "widgets/plot_style.h"
#include "widgets/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

const QString tokens_entry = u"activation"_s;

} // namespace

HistogramView::HistogramView(QWidget* parent) : QWidget(parent) {
    statistic_ = new QComboBox;
    statistic_->setObjectName(u"histogram.statistic"_s);
    statistic_->setAccessibleName(tr("Statistic of the layer"));
    for (auto metric : {Metric::Variance, Metric::AbsoluteMean, Metric::LowActivity})
        statistic_->addItem(name_of(metric), identifier_of(metric));
    statistic_->addItem(tr("Activation |h|, every token"), tokens_entry);
    for (auto metric :
         {Metric::Rms, Metric::Peak, Metric::TemporalGradient, Metric::GuardScore, Metric::Impact})
        statistic_->addItem(name_of(metric), identifier_of(metric));
    plot_ = new QCustomPlot;
    plot_->setObjectName(u"histogram.plot"_s);
    plot_->setAccessibleName(tr("Histogram of the selected layer"));
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->setMinimumHeight(150);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 0);
    auto* label = new QLabel(tr("&Statistic"));
    label->setBuddy(statistic_);
    row->addWidget(label);
    row->addWidget(statistic_);
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(plot_, 1);
    setFocusProxy(plot_);
    refresh_.setSingleShot(true);
    refresh_.setInterval(0);
    connect(&refresh_, &QTimer::timeout, this, &HistogramView::refresh);
    connect(statistic_, &QComboBox::currentIndexChanged, this, [this] { refresh_.start(); });
    build_plot();
    connect_mouse();
    restyle();
}

HistogramView::~HistogramView() = default;

void HistogramView::build_plot() {
    add_overlay_layer(*plot_);
    auto* legend = add_legend_row(*plot_);
    all_ = plot_->addGraph();
    all_->setName(tr("all neurons"));
    frozen_ = plot_->addGraph();
    frozen_->setName(tr("frozen by the rule"));
    cumulative_ = plot_->addGraph(plot_->xAxis, plot_->yAxis2);
    cumulative_->setName(tr("below, % (right)"));
    for (auto* graph : {all_, frozen_}) graph->setLineStyle(QCPGraph::lsStepLeft);
    for (auto* graph : {all_, frozen_, cumulative_}) graph->addToLegend(legend);
    plot_->yAxis->setLabel(tr("neurons"));
    plot_->yAxis2->setLabel(tr("below (%)"));
    plot_->yAxis2->setVisible(true);
    plot_->yAxis2->setRange(0, 100);
    plot_->axisRect()->setMinimumMargins(QMargins(8, 4, 8, 8));

    line_ = std::make_unique<ThresholdLine>(*plot_);
}

void HistogramView::connect_mouse() {
    connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        if (event->button() != Qt::LeftButton || !line_->is_under(event->pos())) return;
        dragging_ = true;
        Q_EMIT gesture_began();
    });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        const double value = line_->value_at(event->pos().x());
        if (dragging_) return drag_to(value);
        plot_->setCursor(line_->is_under(event->pos()) ? Qt::SizeHorCursor : Qt::ArrowCursor);
        if (plot_->axisRect()->rect().contains(event->pos()))
            Q_EMIT hovered(u"%1: %2"_s.arg(statistic_->currentText(), significant(value)));
    });
    connect(plot_, &QCustomPlot::mouseRelease, this, [this] {
        if (!dragging_) return;
        dragging_ = false;
        refresh_.start();
    });
}

bool HistogramView::shows_tokens() const { return statistic_->currentData().toString() == tokens_entry; }

std::optional<Metric> HistogramView::metric() const {
    if (shows_tokens()) return std::nullopt;
    return metric_from_identifier(statistic_->currentData().toString());
}

std::optional<RuleField> HistogramView::field() const {
    return shows_tokens() ? std::optional(RuleField::Activation) : field_of(*metric());
}

void HistogramView::show_field(RuleField field) {
    for (int i = 0; i < statistic_->count(); ++i) {
        const auto id = statistic_->itemData(i).toString();
        const auto cuts =
            id == tokens_entry ? std::optional(RuleField::Activation) : field_of(metric_from_identifier(id));
        if (cuts == field) return statistic_->setCurrentIndex(i);
    }
}

double HistogramView::axis_scale() const { return metric() && is_share(*metric()) ? 100.0 : 1.0; }

double HistogramView::shown_threshold() const {
    return decision_ && field() ? value_of(decision_->rule, *field(), {{selection_.layer}}) * axis_scale()
                                : 0;
}

void HistogramView::set_data(const ProfilePtr& profile, const DecisionPtr& decision) {
    profile_ = profile;
    decision_ = decision;
    refresh_.start();
}

void HistogramView::set_selection(const Selection& selection) {
    if (selection.layer != selection_.layer) refresh_.start();
    selection_ = selection;
}

Histogram HistogramView::compute() const {
    const auto* layer = layer_of(profile_, selection_.layer);
    if (!layer || !decision_ || layer->tokens() == 0) return {};
    if (shows_tokens()) return magnitude_histogram(*layer);
    auto values =
        metric_values(*layer, *metric(), decision_->rule.for_layer(selection_.layer).activation_threshold);
    for (float& value : values) value *= static_cast<float>(axis_scale());
    static const masks::Bitmask none;
    const auto& mask =
        selection_.layer < decision_->masks.size() ? decision_->masks[selection_.layer].frozen : none;
    return histogram_of(values, mask, is_logarithmic(*metric()));
}

void HistogramView::refresh() {
    if (!isVisible()) return;
    show_histogram(compute());
    place_threshold();
    plot_->setAccessibleName(
        tr("Histogram of %1, layer %2").arg(statistic_->currentText()).arg(selection_.layer));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void HistogramView::show_histogram(const Histogram& histogram) {
    QVector<double> edges, all, frozen, below;
    const double total = std::max(1.0, histogram.total());
    double sum = 0;
    double highest = 1;
    for (std::size_t i = 0; i < histogram.edges.size(); ++i) {
        const bool inside = i < histogram.all.size();
        edges.append(histogram.edges[i]);
        all.append(inside ? histogram.all[i] : 0);
        frozen.append(inside && !histogram.frozen.empty() ? histogram.frozen[i] : 0);
        below.append(sum / total * 100);
        sum += inside ? histogram.all[i] : 0;
        highest = std::max(highest, all.last());
    }
    all_->setData(edges, all, true);
    frozen_->setData(edges, frozen, true);
    cumulative_->setData(edges, below, true);
    plot_->yAxis->setRange(0, highest * 1.08);
    plot_->yAxis->setLabel(shows_tokens() ? tr("values (neurons × tokens)") : tr("neurons"));
    const auto unit = shows_tokens() ? QStringLiteral("|h|") : unit_of(*metric());
    plot_->xAxis->setLabel(statistic_->currentText() + u" ("_s + unit + u")"_s);

    const auto scale = histogram.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear;
    if (plot_->xAxis->scaleType() != scale || !plot_->xAxis->property("ready").toBool()) {
        plot_->xAxis->setScaleType(scale);
        plot_->xAxis->setTicker(ticker_for(histogram.logarithmic));
        plot_->xAxis->setNumberFormat(histogram.logarithmic ? u"eb"_s : u"gb"_s);
        plot_->xAxis->setNumberPrecision(histogram.logarithmic ? 0 : 4);
        plot_->xAxis->setProperty("ready", true);
    }
    if (edges.isEmpty() || dragging_) return; // the axis stays still under the pointer
    QCPRange range(edges.first(), edges.last());
    if (const double threshold = shown_threshold(); field() && (!histogram.logarithmic || threshold > 0)) {
        const double room = histogram.logarithmic ? 3.0 : 1.0;
        range.lower = std::min(range.lower, histogram.logarithmic ? threshold / room : 0.0);
        range.upper = std::max(range.upper, threshold * (histogram.logarithmic ? room : 1.05));
    }
    plot_->xAxis->setRange(range);
}

void HistogramView::place_threshold() {
    const double threshold = shown_threshold();
    const bool shown = field() && layer_of(profile_, selection_.layer) &&
                       (plot_->xAxis->scaleType() == QCPAxis::stLinear || threshold > 0);
    if (!shown) return line_->hide();
    const auto unit = axis_scale() > 1 ? u"%"_s : unit_of(*field());
    line_->place(threshold, name_of(*field()) + u" "_s + significant(threshold, 3) + u"\u00a0"_s + unit);
}

void HistogramView::drag_to(double value) {
    if (field()) Q_EMIT edited(*field(), value / axis_scale());
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
    const int direction = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (direction == 0 || !line_->is_shown()) return QWidget::keyPressEvent(event);
    const int steps = direction * (event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1);
    const double pixel = plot_->xAxis->coordToPixel(shown_threshold()) + steps;
    Q_EMIT gesture_began();
    drag_to(plot_->xAxis->pixelToCoord(pixel));
}

void HistogramView::restyle() {
    style_plot(*plot_);
    const auto& colours = theme();
    const auto fill = [](QCPGraph* graph, QColor colour, float alpha) {
        graph->setPen(QPen(colour, 1));
        colour.setAlphaF(alpha);
        graph->setBrush(colour);
    };
    fill(all_, colours.muted, 0.25F);
    fill(frozen_, colours.frozen, 0.6F);
    cumulative_->setPen(QPen(colours.series[1], 1.5, Qt::DashLine));
    plot_->yAxis2->grid()->setVisible(false);
    line_->restyle();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void HistogramView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh_.start();
}

void HistogramView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
    QWidget::changeEvent(event);
}

} // namespace permafrost::widgets
