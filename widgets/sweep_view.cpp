// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep_view.h"

#include "widgets/decade_ticker.h"
#include "widgets/labels.h"
#include "widgets/numbers.h"
#include "widgets/plot_style.h"
#include "widgets/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <qcustomplot.h>

#include <algorithm>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

} // namespace

SweepView::SweepView(QWidget* parent) : QWidget(parent) {
    field_ = new QComboBox;
    field_->setObjectName(u"sweep.field"_s);
    field_->setAccessibleName(tr("Threshold to sweep"));
    for (auto field : {RuleField::Variance, RuleField::Gradient, RuleField::Activation,
                       RuleField::InactiveShare, RuleField::Quantile, RuleField::GuardRatio})
        field_->addItem(name_of(field), static_cast<int>(field));
    sentence_ = new QLabel;
    sentence_->setObjectName(u"sweep.sentence"_s);
    sentence_->setWordWrap(true);
    plot_ = new QCustomPlot;
    plot_->setObjectName(u"sweep.plot"_s);
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->setMinimumHeight(150);
    auto* label = new QLabel(tr("S&weep"));
    label->setBuddy(field_);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 8, 8, 0);
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(field_);
    row->addWidget(sentence_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(plot_, 1);
    setFocusProxy(plot_);
    build_plot();
    connect_mouse();
    connect(field_, &QComboBox::currentIndexChanged, this, [this] {
        points_.clear();
        show_curve();
        Q_EMIT field_changed();
    });
    restyle();
    show_curve();
}

SweepView::~SweepView() = default;

void SweepView::build_plot() {
    add_overlay_layer(*plot_);
    auto* legend = add_legend_row(*plot_);
    frozen_ = plot_->addGraph();
    frozen_->setName(tr("frozen (%)"));
    speedup_ = plot_->addGraph(plot_->xAxis, plot_->yAxis2);
    speedup_->setName(tr("estimated speed-up, mean of layers (×)"));
    for (auto* graph : {frozen_, speedup_}) graph->addToLegend(legend);
    plot_->yAxis->setLabel(tr("frozen (% of neurons)"));
    plot_->yAxis2->setLabel(tr("speed-up (×)"));
    plot_->yAxis2->setVisible(true);
    plot_->yAxis2->grid()->setVisible(false);
    plot_->axisRect()->setMinimumMargins(QMargins(8, 4, 8, 8));
    line_ = std::make_unique<ThresholdLine>(*plot_);
}

void SweepView::connect_mouse() {
    connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        if (event->button() != Qt::LeftButton || !line_->is_under(event->pos())) return;
        dragging_ = true;
        Q_EMIT gesture_began();
    });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        if (dragging_)
            Q_EMIT edited(field(), line_->value_at(event->pos().x()) / scale());
        else
            plot_->setCursor(line_->is_under(event->pos()) ? Qt::SizeHorCursor : Qt::ArrowCursor);
    });
    connect(plot_, &QCustomPlot::mouseRelease, this, [this] { dragging_ = false; });
}

RuleField SweepView::field() const { return static_cast<RuleField>(field_->currentData().toInt()); }
double SweepView::scale() const { return is_share(field()) ? 100.0 : 1.0; }
QString SweepView::sentence() const { return sentence_->text(); }

void SweepView::set_curve(RuleField field, std::vector<SweepPoint> points) {
    if (field != this->field()) return;
    points_ = std::move(points);
    show_curve();
}

void SweepView::set_data(const ProfilePtr&, const DecisionPtr& decision) {
    decision_ = decision;
    if (!decision) points_.clear();
    if (decision) follow_rule(decision->rule);
    show_threshold();
    if (points_.empty()) show_curve();
}

// Another rule: a threshold that it does not use would show a flat curve.
void SweepView::follow_rule(const masks::FreezeRule& rule) {
    auto fields = fields_of(rule);
    if (fields == rule_fields_) return;
    rule_fields_ = std::move(fields);
    if (rule_fields_.empty() ||
        std::find(rule_fields_.begin(), rule_fields_.end(), field()) != rule_fields_.end())
        return;
    field_->setCurrentIndex(field_->findData(static_cast<int>(rule_fields_.front())));
}

void SweepView::show_curve() {
    QVector<double> values, frozen, speedups;
    double highest = 1;
    double fastest = 1.06;
    for (const auto& point : points_) {
        values.append(point.value * scale());
        frozen.append(point.frozen_share * 100);
        speedups.append(point.average_speedup);
        highest = std::max(highest, frozen.last());
        fastest = std::max(fastest, point.average_speedup);
    }
    frozen_->setData(values, frozen, true);
    speedup_->setData(values, speedups, true);
    const auto range = range_of(field());
    plot_->xAxis->setScaleType(range.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot_->xAxis->setTicker(ticker_for(range.logarithmic));
    plot_->xAxis->setNumberFormat(range.logarithmic ? u"eb"_s : u"gb"_s);
    plot_->xAxis->setNumberPrecision(range.logarithmic ? 0 : 4);
    plot_->xAxis->setRange(range.low * scale(), range.high * scale());
    plot_->xAxis->setLabel(name_of(field()) + u" ("_s + unit_of(field()) + u")"_s);
    plot_->yAxis->setRange(0, std::min(100.0, highest * 1.1));
    // A layer that is frozen entirely has an upper bound in the thousands, which would hide what matters.
    plot_->yAxis2->setRange(1, std::min(fastest * 1.05, 4.0));
    plot_->setAccessibleName(tr("Sweep of %1").arg(name_of(field())));
    show_threshold();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void SweepView::show_threshold() {
    if (!decision_) {
        line_->hide();
        sentence_->setText(tr("Profile a model to see what each threshold would freeze."));
        return;
    }
    const double value = value_of(decision_->rule, field());
    if (value > 0 || !range_of(field()).logarithmic)
        line_->place(value * scale(), with_unit(field(), value, 3));
    else
        line_->hide();
    const auto word = [](verdict::Verdict verdict) {
        const auto text = verdict::word(verdict);
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    };
    const auto* change = nearest_change(points_, value, decision_->verdict, range_of(field()).logarithmic);
    sentence_->setText(points_.empty() ? tr("Computing…")
                       : change        ? tr("Now %1. At %2 it becomes <b>%3</b> (%4 frozen, %5).")
                                      .arg(word(decision_->verdict), with_unit(field(), change->value, 3),
                                           word(change->verdict), percent(change->frozen_share),
                                           factor(change->average_speedup))
                                : tr("%1 whatever this threshold is.").arg(word(decision_->verdict)));
    plot_->setAccessibleDescription(sentence_->text());
}

void SweepView::keyPressEvent(QKeyEvent* event) {
    const int direction = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (direction == 0 || !line_->is_shown()) return QWidget::keyPressEvent(event);
    const int steps = direction * (event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1);
    const double pixel = plot_->xAxis->coordToPixel(value_of(decision_->rule, field()) * scale()) + steps;
    Q_EMIT gesture_began();
    Q_EMIT edited(field(), plot_->xAxis->pixelToCoord(pixel) / scale());
}

void SweepView::restyle() {
    style_plot(*plot_);
    frozen_->setPen(line_pen(theme().series[0]));
    speedup_->setPen(QPen(theme().series[2], 1.5, Qt::DashLine));
    line_->restyle();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void SweepView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    Q_EMIT became_visible();
}

void SweepView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
    QWidget::changeEvent(event);
}

} // namespace permafrost::widgets
