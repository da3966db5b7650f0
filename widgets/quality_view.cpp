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
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
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
    column->addWidget(build_sentence());
    column->addWidget(plot_, 1);
    build_plot();
    restyle();
    expected_.value->setText(QString::fromUtf16(dash));
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
    sweep_ = new QPushButton(tr("S&weep…"));
    sweep_->setObjectName(u"quality.sweep"_s);
    sweep_->setToolTip(tr("Evaluate many settings, one after the other; what is measured is kept"));
    handling_ = new QComboBox;
    handling_->setObjectName(u"quality.handling"_s);
    handling_->addItem(tr("set to zero"));
    handling_->addItem(tr("kept at their mean"));
    handling_->addItem(tr("the better of both, by neuron"));
    windows_ = new QComboBox;
    windows_->setObjectName(u"quality.windows"_s);
    for (const int count : {4, 8, 20, 0})
        windows_->addItem(count ? tr("%1 × 512 tokens").arg(count) : tr("whole text"), count);
    windows_->setCurrentIndex(1);
    questions_ = new QComboBox;
    questions_->setObjectName(u"quality.questions"_s);
    questions_->setAccessibleName(tr("Questions"));
    questions_->addItem(tr("no questions"), QString());
    questions_->addItem(tr("built-in questions (no benchmark)"), u"builtin"_s);
    questions_->addItem(tr("questions from a file…"), u"?"_s);
    questions_->setToolTip(tr("Multiple choice, answered by the dense and the masked model after the text"));
    auto* handling_label = new QLabel(tr("F&rozen neurons"));
    handling_label->setBuddy(handling_);
    auto* windows_label = new QLabel(tr("Te&xt"));
    windows_label->setBuddy(windows_);
    for (auto* choice : {handling_, windows_, questions_}) { // the longest entry must not make the panel wide
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setMinimumContentsLength(8);
    }
    grid->addWidget(live_, 0, 0, 1, 2);
    grid->addWidget(sweep_, 0, 2);
    grid->addWidget(handling_label, 1, 0);
    grid->addWidget(handling_, 1, 1, 1, 2);
    grid->addWidget(windows_label, 2, 0);
    grid->addWidget(windows_, 2, 1);
    grid->addWidget(questions_, 2, 2);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    connect(sweep_, &QPushButton::clicked, this,
            [this] { sweeping_ ? Q_EMIT stop_requested() : Q_EMIT sweep_requested(); });
    connect(live_, &QCheckBox::toggled, this, &QualityView::take_request);
    connect(handling_, &QComboBox::currentIndexChanged, this, &QualityView::take_request);
    connect(windows_, &QComboBox::currentIndexChanged, this, &QualityView::take_request);
    connect(questions_, &QComboBox::activated, this, &QualityView::take_questions);
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
    expected_ =
        add(tr("KL expected, an estimate"), u"quality.expected"_s,
            tr("From the profile alone: the part of the FFN output that the mask takes away, calibrated on "
               "the settings that were evaluated"));
    retained_ = add(tr("Accuracy retained"), u"quality.retained"_s,
                    tr("Next-token accuracy of the masked model, as a share of the dense model's"));
    answers_ =
        add(tr("Questions answered rightly"), u"quality.answers"_s,
            tr("Of the masked and the dense model; p is how likely so uneven a split is when masking changes "
               "nothing (exact McNemar test)"));
    grid->setColumnStretch(0, 1);
    return box;
}

QWidget* QualityView::build_sentence() {
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    axis_ = new QComboBox;
    axis_->setObjectName(u"quality.axis"_s);
    axis_->setAccessibleName(tr("Horizontal axis"));
    axis_->addItem(tr("by frozen share"));
    axis_->addItem(tr("by speed-up"));
    row->addWidget(sentence_, 1);
    row->addWidget(axis_, 0, Qt::AlignBottom);
    connect(axis_, &QComboBox::currentIndexChanged, this, [this] {
        plot_->xAxis->setLabel(axis_->currentIndex() == 0 ? tr("frozen (% of neurons)")
                                                          : tr("estimated speed-up, mean of layers (×)"));
        show_points();
    });
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
    front_ = plot_->addGraph(); // below the points
    front_->removeFromLegend();
    zeroed_ = add(tr("set to zero"), &zeroed_errors_);
    folded_ = add(tr("mean kept"), &folded_errors_);
    present_ = add(tr("now"), nullptr);
    guess_ = add(tr("expected"), nullptr);
    fold_legend(*plot_, legend);
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
                           static_cast<std::size_t>(windows_->currentData().toInt()), request_.questions};
    if (request == request_) return;
    request_ = request;
    Q_EMIT requested(request_);
}

void QualityView::take_questions(int index) {
    if (questions_->itemData(index).toString() == u"?") {
        Q_EMIT questions_file_requested();
        return set_questions(request_.questions); // until a file was chosen
    }
    set_questions(questions_->itemData(index).toString());
}

void QualityView::set_questions(const QString& path) {
    int index = questions_->findData(path);
    if (index < 0) {
        index = questions_->count() - 1;
        questions_->insertItem(index, path.section(u'/', -1), path);
    }
    questions_->setCurrentIndex(index);
    if (request_.questions == path) return;
    request_.questions = path;
    Q_EMIT requested(request_);
}

void QualityView::set_request(const QualityRequest& request) {
    request_ = request; // first, so that the controls change nothing
    live_->setChecked(request.live);
    handling_->setCurrentIndex(static_cast<int>(request.handling));
    const int index = windows_->findData(static_cast<int>(request.windows));
    windows_->setCurrentIndex(index < 0 ? 1 : index);
    set_questions(request.questions);
    request_ = request;
}

void QualityView::clear_figures() {
    show_answers();
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
        const auto time = point.known ? tr("measured before") : tr("in %1").arg(duration(point.seconds));
        sentence_->setText(
            tr("%1 tokens %2%3. KL %4 (as quantising Llama 3 8B).")
                .arg(count(point.tokens), time, point.share < 1 ? tr(", provisional") : QString(), scale));
    }
    show_answers();
    show_points();
}

void QualityView::show_answers() {
    const auto* answers = point_ ? point_->answers.get() : nullptr;
    if (!answers || answers->masked.empty()) {
        answers_.value->setText(QString::fromUtf16(dash));
        answers_.error->clear();
        return;
    }
    const auto& masked = answers->masked.front();
    answers_.value->setText(tr("%1 of %2").arg(masked.accuracy.hits).arg(masked.accuracy.count));
    answers_.error->setText(
        tr("dense %1, p = %2").arg(answers->dense.hits).arg(significant(masked.p_value, 2)));
}

void QualityView::show_estimate(const QualityEstimate& estimate) {
    if (estimate.loss.points == 0 && estimate_.loss.points == 0) return; // asked after every decision
    estimate_ = estimate;
    const auto& loss = estimate.loss;
    if (loss.points == 0) {
        expected_.value->setText(QString::fromUtf16(dash));
        expected_.error->clear();
    } else {
        expected_.value->setText(u"≈ "_s + significant(loss.kl, 3));
        expected_.error->setText(loss.factor > 0 ? tr("within × %1").arg(significant(loss.factor, 3))
                                                 : tr("from one setting"));
        expected_.error->setToolTip(tr("%n evaluated setting(s)", nullptr, static_cast<int>(loss.points)));
    }
    show_points();
}

void QualityView::set_sweep_possible(bool possible) {
    sweep_->setEnabled(possible || sweeping_);
    if (!possible) return;
    sweeping_ = false;
    sweep_->setText(tr("S&weep…"));
}

void QualityView::show_sweep(double share, std::size_t settings) {
    sweeping_ = true;
    sweep_->setText(tr("S&top"));
    sweep_->setEnabled(true);
    clear_figures();
    progress_->setValue(static_cast<int>(1000 * share));
    sentence_->setText(tr("A sweep over %n setting(s) is running: %1.", nullptr, static_cast<int>(settings))
                           .arg(percent(share, 0)));
}

void QualityView::set_points(std::vector<QualityPoint> points) {
    points_ = std::move(points);
    show_points();
}

double QualityView::place_of(double frozen_share, double speedup) const {
    return axis_->currentIndex() == 0 ? 100 * frozen_share : speedup;
}

void QualityView::show_points() {
    const double origin = place_of(0, 1);
    double widest = origin + (axis_->currentIndex() == 0 ? 1 : 0.01), lowest = 1e-4, highest = 1e-2;
    const auto reach = [&](double x, double y) {
        widest = std::max(widest, origin + 1.1 * (x - origin));
        lowest = std::min(lowest, y / 2);
        highest = std::max(highest, y * 2);
    };
    const auto fill = [&](QCPGraph* graph, QCPErrorBars* errors, bool zeroed) {
        QVector<double> places, values, error;
        for (const auto& point : points_) {
            if ((point.handling == quality::Handling::Zero) != zeroed) continue;
            places.append(place_of(point.frozen_share, point.estimated_speedup));
            values.append(shown_divergence(point));
            error.append(point.result.kl_mean_error);
            reach(places.back(), values.back());
        }
        graph->setData(places, values);
        errors->setData(error);
    };
    fill(zeroed_, zeroed_errors_, true);
    fill(folded_, folded_errors_, false);
    const auto show_one = [&](QCPGraph* graph, bool shown, double x, double y) {
        graph->data()->clear();
        if (!shown) return;
        graph->addData(x, y);
        reach(x, y);
    };
    const bool measured = point_ && point_->tokens > 0;
    show_one(present_, measured, measured ? place_of(point_->frozen_share, point_->estimated_speedup) : 0,
             measured ? shown_divergence(*point_) : 0);
    show_one(guess_, estimate_.loss.points > 0 && !measured,
             place_of(estimate_.frozen_share, estimate_.estimated_speedup),
             std::max(estimate_.loss.kl, smallest_shown));
    show_front();
    plot_->xAxis->setRange(origin, axis_->currentIndex() == 0 ? std::min(widest, 100.0) : widest);
    plot_->yAxis->setRange(lowest, highest);
    plot_->setAccessibleDescription(tr("%n evaluated setting(s)", nullptr, static_cast<int>(points_.size())));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

// From the right: a setting that freezes less must cost less to be worth it.
void QualityView::show_front() {
    std::vector<std::pair<double, double>> places;
    for (const auto& point : points_)
        places.emplace_back(-place_of(point.frozen_share, point.estimated_speedup), shown_divergence(point));
    std::sort(places.begin(), places.end());
    QVector<double> xs, ys;
    for (const auto& [x, y] : places) {
        if (!ys.isEmpty() && !(y < ys.back())) continue;
        xs.append(-x);
        ys.append(y);
    }
    front_->setData(xs, ys);
}

void QualityView::choose_at(const QPoint& place) {
    const QualityPoint* nearest = nullptr;
    double distance = click_radius;
    for (const auto& point : points_) {
        const double dx =
            plot_->xAxis->coordToPixel(place_of(point.frozen_share, point.estimated_speedup)) - place.x();
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
    front_->setPen(QPen(theme().muted, 1, Qt::DashLine));
    guess_->setPen(line_pen(theme().accent));
    guess_->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(theme().accent, 2), QBrush(Qt::NoBrush), 11));
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
