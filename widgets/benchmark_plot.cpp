// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/benchmark_plot.h"

#include "widgets/benchmark_table.h"
#include "widgets/numbers.h"
#include "widgets/plot_style.h"
#include "widgets/theme.h"

#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr double least_width = 0.55; // of the neurons
constexpr double most_share = 0.99;  // where the ideal curve is still drawn
constexpr double most_room = 1.3;    // for bars above points and curve
constexpr int curve_points = 100;
constexpr int hover_radius = 12; // pixels

double ideal_at(double share) { return 1 / (1 - std::min(share, most_share)); }

bool is_in_the_plot(const BenchmarkRow& row) {
    return row.way == BenchmarkWay::Masked || row.way == BenchmarkWay::Compacted;
}

} // namespace

BenchmarkPlot::BenchmarkPlot(QWidget* parent) : QWidget(parent) {
    plot_ = new QCustomPlot;
    plot_->setObjectName(u"benchmark.plot"_s);
    plot_->setAccessibleName(tr("Measured speed-up against frozen share"));
    plot_->setMinimumHeight(130);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(plot_);
    auto* legend = add_legend_row(*plot_);
    ideal_ = plot_->addGraph();
    ideal_->setName(tr("ideal 1/(1 − s)"));
    masked_ = add_series(tr("masked"));
    compacted_ = add_series(tr("compacted"));
    present_ = plot_->addGraph();
    present_->setName(tr("now"));
    present_->setLineStyle(QCPGraph::lsNone);
    for (auto* graph : {ideal_, masked_.graph, compacted_.graph, present_}) graph->addToLegend(legend);
    fold_legend(*plot_, legend);
    line_ = new QCPItemStraightLine(plot_);
    plot_->xAxis->setLabel(tr("frozen s (% of neurons)"));
    plot_->yAxis->setLabel(tr("speed-up (×)"));
    plot_->axisRect()->setMinimumMargins(QMargins(8, 4, 8, 8));
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { hover(event->pos()); });
    restyle();
    show_rows();
}

BenchmarkPlot::Series BenchmarkPlot::add_series(const QString& name) {
    Series series;
    series.graph = plot_->addGraph();
    series.graph->setName(name);
    series.graph->setLineStyle(QCPGraph::lsNone);
    series.spread = new QCPErrorBars(plot_->xAxis, plot_->yAxis);
    series.spread->setDataPlottable(series.graph);
    series.spread->removeFromLegend();
    return series;
}

void BenchmarkPlot::set_rows(std::vector<BenchmarkRow> rows, const std::string& mask,
                             std::optional<double> share) {
    rows_ = std::move(rows);
    mask_ = mask;
    share_ = share;
    show_rows();
}

void BenchmarkPlot::fill(const Series& series, BenchmarkWay way) {
    std::vector<const BenchmarkRow*> of_way;
    for (const auto& row : rows_)
        if (row.way == way && (!row.is_of_a_mask() || row.mask == mask_)) of_way.push_back(&row);
    std::sort(of_way.begin(), of_way.end(),
              [](const auto* a, const auto* b) { return a->frozen_share < b->frozen_share; });
    QVector<double> shares, speedups, below, above;
    for (const auto* row : of_way) {
        shares.append(100 * row->frozen_share);
        speedups.append(row->speed.speedup);
        below.append(row->speed.speedup - row->speed.least_speedup);
        above.append(row->speed.most_speedup - row->speed.speedup);
        if (row->is_of_a_mask()) present_->addData(shares.back(), speedups.back());
    }
    series.graph->setData(shares, speedups, true);
    series.spread->setData(below, above);
}

void BenchmarkPlot::show_rows() {
    present_->data()->clear();
    fill(masked_, BenchmarkWay::Masked);
    fill(compacted_, BenchmarkWay::Compacted);
    line_->setVisible(share_.has_value());
    if (share_) {
        line_->point1->setCoords(100 * *share_, 0);
        line_->point2->setCoords(100 * *share_, 1);
    }
    show_ranges();
    plot_->setAccessibleDescription(
        tr("%n measured point(s)", nullptr,
           static_cast<int>(masked_.graph->dataCount() + compacted_.graph->dataCount())));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void BenchmarkPlot::show_ranges() {
    double widest = least_width, least = 1, most = 1, spread = 1;
    if (share_) widest = std::max(widest, 1.05 * *share_);
    for (const auto& row : rows_) {
        if (!is_in_the_plot(row)) continue;
        widest = std::max(widest, 1.05 * row.frozen_share);
        least = std::min({least, row.speed.speedup, row.speed.least_speedup});
        most = std::max(most, row.speed.speedup);
        spread = std::max(spread, row.speed.most_speedup);
    }
    widest = std::min(widest, 1.0);
    most = std::max(most, ideal_at(widest));
    most = std::min(std::max(most, spread), most_room * most); // one disturbed turn must not flatten the rest
    QVector<double> shares, speedups;
    for (int i = 0; i <= curve_points; ++i) {
        const double share = std::min(widest, most_share) * i / curve_points;
        shares.append(100 * share);
        speedups.append(ideal_at(share));
    }
    ideal_->setData(shares, speedups, true);
    const double margin = 0.05 * (most - least);
    plot_->xAxis->setRange(0, 100 * widest);
    plot_->yAxis->setRange(least - margin, most + margin);
}

void BenchmarkPlot::hover(const QPoint& place) {
    const BenchmarkRow* nearest = nullptr;
    double distance = hover_radius;
    for (const auto& row : rows_) {
        if (!is_in_the_plot(row) || (row.is_of_a_mask() && row.mask != mask_)) continue;
        const double away = std::hypot(plot_->xAxis->coordToPixel(100 * row.frozen_share) - place.x(),
                                       plot_->yAxis->coordToPixel(row.speed.speedup) - place.y());
        if (away > distance) continue;
        distance = away;
        nearest = &row;
    }
    Q_EMIT hovered(nearest ? QString(name_of(*nearest, mask_) + u": "_s + figures_of(*nearest)) : QString());
}

void BenchmarkPlot::restyle() {
    style_plot(*plot_);
    const auto style = [](const Series& series, const QColor& colour, QCPScatterStyle::ScatterShape shape) {
        series.graph->setPen(line_pen(colour));
        series.graph->setScatterStyle(QCPScatterStyle(shape, QPen(colour, 1.5), QBrush(colour), 7));
        series.spread->setPen(QPen(colour, 1));
    };
    style(masked_, theme().series[2], QCPScatterStyle::ssSquare);
    style(compacted_, theme().series[0], QCPScatterStyle::ssDisc);
    ideal_->setPen(QPen(theme().muted, 1.5, Qt::DashLine));
    present_->setPen(line_pen(theme().accent));
    present_->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme().accent, 2), QBrush(Qt::NoBrush), 13));
    line_->setPen(QPen(theme().accent, 1, Qt::DotLine));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void BenchmarkPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
    QWidget::changeEvent(event);
}

} // namespace permafrost::widgets
