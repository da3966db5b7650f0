// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/quality_view.h"

#include "core/quality/quantisation_scale.h"
#include "widgets/decade_ticker.h"
#include "widgets/labels.h"
#include "widgets/numbers.h"
#include "widgets/plot_style.h"
#include "widgets/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QProgressBar>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

constexpr double smallest_shown = 1e-7; // KL on a logarithmic axis
constexpr int click_radius = 12;        // pixels

double shown_divergence(const QualityPoint& point) { return std::max(point.result.kl_mean, smallest_shown); }

} // namespace

QualityView::QualityView(QWidget* parent) : QWidget(parent) {
    sentence_ = new QLabel;
    sentence_->setObjectName(u"quality.sentence"_s);
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    progress_ = new QProgressBar;
    progress_->setObjectName(u"quality.progress"_s);
    progress_->setAccessibleName(tr("Share of the held-out text that was evaluated"));
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setFixedHeight(4);
    plot_ = new QCustomPlot;
    plot_->setObjectName(u"quality.plot"_s);
    plot_->setMinimumHeight(120);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(build_request());
    column->addWidget(build_figures());
    column->addWidget(progress_);
    column->addWidget(sentence_);
    column->addWidget(plot_, 1);
    build_plot();
    restyle();
    show_reason(tr("Profile a model, then switch live evaluation on."));
    show_points();
}

QWidget* QualityView::build_request() {
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(8);
    live_ = new QCheckBox(tr("Evaluate the present mask &live"));
    live_->setObjectName(u"quality.live"_s);
    live_->setToolTip(
        tr("Runs the dense and the masked model over held-out text in the background, again after each "
           "change of the mask"));
    handling_ = new QComboBox;
    handling_->setObjectName(u"quality.handling"_s);
    handling_->addItem(tr("set to zero"));
    handling_->addItem(tr("kept at their mean"));
    handling_->addItem(tr("the better of both, by neuron"));
    windows_ = new QComboBox;
    windows_->setObjectName(u"quality.windows"_s);
    for (const int count : {4, 8, 20, 0})
        windows_->addItem(count ? tr("%1 windows of 512 tokens").arg(count) : tr("the whole held-out text"),
                          count);
    windows_->setCurrentIndex(1);
    auto* handling_label = new QLabel(tr("F&rozen neurons"));
    handling_label->setBuddy(handling_);
    auto* windows_label = new QLabel(tr("Te&xt"));
    windows_label->setBuddy(windows_);
    grid->addWidget(live_, 0, 0, 1, 2);
    grid->addWidget(handling_label, 1, 0);
    grid->addWidget(handling_, 1, 1);
    grid->addWidget(windows_label, 2, 0);
    grid->addWidget(windows_, 2, 1);
    grid->setColumnStretch(1, 1);
    connect(live_, &QCheckBox::toggled, this, &QualityView::take_request);
    connect(handling_, &QComboBox::currentIndexChanged, this, &QualityView::take_request);
    connect(windows_, &QComboBox::currentIndexChanged, this, &QualityView::take_request);
    return box;
}

QWidget* QualityView::build_figures() {
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    int row = 0;
    const auto add = [&](const QString& title, const QString& id, const QString& tip) {
        Figure figure;
        auto* label = muted_label(title);
        label->setToolTip(tip);
        figure.value = figure_label(title);
        figure.value->setObjectName(id);
        figure.value->setToolTip(tip);
        figure.error = muted_label();
        figure.error->setWordWrap(false);
        grid->addWidget(label, row, 0);
        grid->addWidget(figure.value, row, 1);
        grid->addWidget(figure.error, row++, 2);
        return figure;
    };
    ratio_ = add(tr("Perplexity, masked / dense"), u"quality.ratio"_s,
                 tr("Paired over the same tokens; ± is one standard error"));
    divergence_ =
        add(tr("KL divergence (nats)"), u"quality.kl"_s,
            tr("Mean over tokens of KL(dense, masked), natural logarithm; ± is one standard error"));
    retained_ = add(tr("Accuracy retained"), u"quality.retained"_s,
                    tr("Next-token accuracy of the masked model, as a share of the dense model's"));
    grid->setColumnStretch(0, 1);
    return box;
}

void QualityView::build_plot() {
    auto* legend = add_legend_row(*plot_);
    const auto add = [&](const QString& name, QCPErrorBars** errors) {
        auto* graph = plot_->addGraph();
        graph->setName(name);
        graph->setLineStyle(QCPGraph::lsNone);
        graph->addToLegend(legend);
        if (errors) {
            *errors = new QCPErrorBars(plot_->xAxis, plot_->yAxis);
            (*errors)->setDataPlottable(graph);
            (*errors)->removeFromLegend();
        }
        return graph;
    };
    zeroed_ = add(tr("set to zero"), &zeroed_errors_);
    folded_ = add(tr("kept at their mean"), &folded_errors_);
    present_ = add(tr("now"), nullptr);
    plot_->xAxis->setLabel(tr("frozen (% of neurons)"));
    plot_->yAxis->setLabel(tr("KL (nats)"));
    plot_->yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot_->yAxis->setTicker(ticker_for(true));
    plot_->yAxis->setNumberFormat(u"eb"_s);
    plot_->yAxis->setNumberPrecision(0);
    plot_->axisRect()->setMinimumMargins(QMargins(8, 4, 8, 8));
    plot_->setToolTip(tr("Click a point to go back to its thresholds"));
    plot_->setAccessibleName(tr("Evaluated settings: frozen share against KL divergence"));
    connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) { choose_at(event->pos()); });
}

void QualityView::take_request() {
    QualityRequest request{live_->isChecked(), static_cast<quality::Handling>(handling_->currentIndex()),
                           static_cast<std::size_t>(windows_->currentData().toInt())};
    if (request == request_) return;
    request_ = request;
    Q_EMIT requested(request_);
}

void QualityView::set_request(const QualityRequest& request) {
    request_ = request; // first, so that the controls change nothing
    live_->setChecked(request.live);
    handling_->setCurrentIndex(static_cast<int>(request.handling));
    const int index = windows_->findData(static_cast<int>(request.windows));
    windows_->setCurrentIndex(index < 0 ? 1 : index);
    request_ = request;
}

void QualityView::clear_figures() {
    for (const auto& figure : {ratio_, divergence_, retained_}) {
        figure.value->setText(QString::fromUtf16(dash));
        figure.error->clear();
    }
}

void QualityView::show_reason(const QString& reason) {
    point_.reset();
    clear_figures();
    progress_->setValue(0);
    sentence_->setText(reason);
    show_points();
}

void QualityView::show_point(const QualityPoint& point) {
    point_ = point;
    progress_->setValue(static_cast<int>(1000 * point.share));
    const auto& result = point.result;
    if (point.tokens == 0) {
        clear_figures();
        sentence_->setText(tr("Evaluating…"));
    } else {
        ratio_.value->setText(significant(result.perplexity_ratio, 5) + u" ×"_s);
        ratio_.error->setText(u"± "_s + significant(result.perplexity_ratio_error, 2));
        divergence_.value->setText(significant(result.kl_mean, 4));
        divergence_.error->setText(u"± "_s + significant(result.kl_mean_error, 2));
        retained_.value->setText(percent(result.accuracy_retained, 2));
        retained_.error->setText(tr("%1 the same").arg(percent(result.top1_agreement)));
        const auto scale = QString::fromStdString(quality::compared_with_quantisation(result.kl_mean));
        sentence_->setText(tr("%1 tokens in %2%3. KL %4 (as quantising Llama 3 8B).")
                               .arg(count(point.tokens), duration(point.seconds),
                                    point.share < 1 ? tr(", provisional") : QString(), scale));
    }
    show_points();
}

void QualityView::set_points(std::vector<QualityPoint> points) {
    points_ = std::move(points);
    show_points();
}

void QualityView::show_points() {
    double widest = 1, lowest = 1e-4, highest = 1e-2;
    const auto fill = [&](QCPGraph* graph, QCPErrorBars* errors, bool zeroed) {
        QVector<double> shares, values, error;
        for (const auto& point : points_) {
            if ((point.handling == quality::Handling::Zero) != zeroed) continue;
            shares.append(100 * point.frozen_share);
            values.append(shown_divergence(point));
            error.append(point.result.kl_mean_error);
        }
        graph->setData(shares, values);
        errors->setData(error);
    };
    for (const auto& point : points_) {
        widest = std::max(widest, 110 * point.frozen_share);
        lowest = std::min(lowest, shown_divergence(point) / 2);
        highest = std::max(highest, shown_divergence(point) * 2);
    }
    fill(zeroed_, zeroed_errors_, true);
    fill(folded_, folded_errors_, false);
    present_->data()->clear();
    if (point_ && point_->tokens > 0) {
        present_->addData(100 * point_->frozen_share, shown_divergence(*point_));
        widest = std::max(widest, 110 * point_->frozen_share);
        lowest = std::min(lowest, shown_divergence(*point_) / 2);
        highest = std::max(highest, shown_divergence(*point_) * 2);
    }
    plot_->xAxis->setRange(0, std::min(widest, 100.0));
    plot_->yAxis->setRange(lowest, highest);
    plot_->setAccessibleDescription(tr("%n evaluated setting(s)", nullptr, static_cast<int>(points_.size())));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void QualityView::choose_at(const QPoint& place) {
    const QualityPoint* nearest = nullptr;
    double distance = click_radius;
    for (const auto& point : points_) {
        const double dx = plot_->xAxis->coordToPixel(100 * point.frozen_share) - place.x();
        const double dy = plot_->yAxis->coordToPixel(shown_divergence(point)) - place.y();
        if (std::hypot(dx, dy) > distance) continue;
        distance = std::hypot(dx, dy);
        nearest = &point;
    }
    if (nearest) Q_EMIT chosen(QualityPoint(*nearest));
}

QString QualityView::sentence() const { return sentence_->text(); }

void QualityView::restyle() {
    style_plot(*plot_);
    const auto style = [](QCPGraph* graph, QCPErrorBars* errors, const QColor& colour,
                          QCPScatterStyle::ScatterShape shape) {
        graph->setPen(line_pen(colour));
        graph->setScatterStyle(QCPScatterStyle(shape, QPen(colour, 1.5), QBrush(colour), 7));
        errors->setPen(QPen(colour, 1));
    };
    style(zeroed_, zeroed_errors_, theme().series[0], QCPScatterStyle::ssDisc);
    style(folded_, folded_errors_, theme().series[2], QCPScatterStyle::ssSquare);
    present_->setPen(line_pen(theme().accent));
    present_->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme().accent, 2), QBrush(Qt::NoBrush), 13));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void QualityView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    Q_EMIT became_visible();
}

void QualityView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
    QWidget::changeEvent(event);
}

} // namespace permafrost::widgets
