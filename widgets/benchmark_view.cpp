// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/benchmark_view.h"

#include "widgets/benchmark_choices.h"
#include "widgets/benchmark_table.h"
#include "widgets/labels.h"
#include "widgets/numbers.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr double calm_spread = 0.25; // of the median; beyond it the machine is busy with something else

const BenchmarkRow* best_of_mask(const std::vector<BenchmarkRow>& rows) {
    const BenchmarkRow* best = nullptr;
    for (const auto& row : rows)
        if (row.is_of_a_mask() && (!best || row.speed.speedup > best->speed.speedup)) best = &row;
    return best;
}

} // namespace

BenchmarkView::BenchmarkView(std::size_t processors, QWidget* parent)
    : QWidget(parent), processors_(processors) {
    choices_ = new BenchmarkChoices(processors);
    sentence_ = new QLabel;
    sentence_->setObjectName(u"benchmark.sentence"_s);
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    progress_ = new QProgressBar;
    progress_->setObjectName(u"benchmark.progress"_s);
    progress_->setAccessibleName(tr("Share of the measurement that is done"));
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setFixedHeight(4);
    stack_ = new QStackedWidget;
    stack_->addWidget(build_empty());
    figures_ = new BenchmarkFigures;
    stack_->addWidget(figures_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(choices_);
    column->addLayout(build_buttons());
    column->addWidget(progress_);
    column->addWidget(sentence_);
    column->addWidget(stack_, 1);
    connect(choices_, &BenchmarkChoices::conditions_changed, this, &BenchmarkView::show_results);
    show_results();
}

QLayout* BenchmarkView::build_buttons() {
    measure_ = new QPushButton(tr("&Measure"));
    measure_->setObjectName(u"benchmark.measure"_s);
    measure_->setToolTip(tr("Time the layers under the conditions that are chosen above"));
    all_ = new QPushButton(tr("Measure a&ll"));
    all_->setObjectName(u"benchmark.all"_s);
    all_->setToolTip(tr("One token and a prompt, with one thread and with all"));
    cancel_ = new QPushButton(tr("&Cancel"));
    cancel_->setObjectName(u"benchmark.cancel"_s);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (auto* button : {measure_, all_, cancel_}) buttons->addWidget(button);
    buttons->addStretch(1);
    connect(measure_, &QPushButton::clicked, this, [this] { Q_EMIT requested(request(false)); });
    connect(all_, &QPushButton::clicked, this, [this] { Q_EMIT requested(request(true)); });
    connect(cancel_, &QPushButton::clicked, this, &BenchmarkView::cancel_requested);
    return buttons;
}

QWidget* BenchmarkView::build_empty() {
    empty_ = muted_label();
    empty_->setObjectName(u"benchmark.empty"_s);
    empty_->setAlignment(Qt::AlignCenter);
    begin_ = new QPushButton(tr("Measure"));
    begin_->setObjectName(u"benchmark.begin"_s);
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setSpacing(16);
    column->addStretch(1);
    column->addWidget(empty_);
    column->addWidget(begin_, 0, Qt::AlignHCenter);
    column->addStretch(1);
    connect(begin_, &QPushButton::clicked, this, [this] { Q_EMIT requested(request(false)); });
    return box;
}

BenchmarkConditions BenchmarkView::conditions() const { return choices_->conditions(); }

BenchmarkRequest BenchmarkView::request(bool all) const {
    BenchmarkRequest request;
    request.repeats = choices_->repeats();
    if (all)
        request.conditions = choices_->all_conditions();
    else
        request.conditions = {conditions()};
    return request;
}

BenchmarkRequest BenchmarkView::request_of_mask() const {
    return {{{false, 1, processors_}}, true, choices_->repeats()};
}

void BenchmarkView::set_repeats(std::size_t repeats) { choices_->set_repeats(repeats); }

void BenchmarkView::set_results(const BenchmarkResultsPtr& results) {
    results_ = results;
    show_results();
}

void BenchmarkView::set_present(const PresentMask& present) {
    if (present == present_) return;
    present_ = present;
    show_results();
}

void BenchmarkView::set_obstacle(const QString& reason) {
    if (reason == obstacle_) return;
    obstacle_ = reason;
    show_buttons();
    show_sentence();
}

void BenchmarkView::show_progress(double share, double seconds_left) {
    if (!measuring_) message_.clear();
    measuring_ = true;
    stopping_ = false;
    progress_->setValue(static_cast<int>(1000 * share));
    sentence_->show();
    sentence_->setText(seconds_left < 0
                           ? tr("Measuring…")
                           : tr("Measuring: %1, %2 left").arg(percent(share, 0), duration(seconds_left)));
    show_buttons();
}

void BenchmarkView::show_stopping() {
    stopping_ = true;
    sentence_->setText(tr("Stopping…"));
    show_buttons();
}

void BenchmarkView::show_end(const QString& message) {
    measuring_ = stopping_ = false;
    message_ = message;
    progress_->setValue(0);
    show_buttons();
    show_sentence();
}

void BenchmarkView::show_results() {
    const auto rows =
        results_ ? results_->shown(conditions(), present_.identity) : std::vector<BenchmarkRow>();
    figures_->set_rows(rows, present_);
    stack_->setCurrentIndex(rows.empty() ? 0 : 1);
    show_buttons();
    show_sentence();
}

void BenchmarkView::show_buttons() {
    const bool possible = obstacle_.isEmpty() && !measuring_;
    for (auto* button : {measure_, all_, begin_}) button->setEnabled(possible);
    for (auto* button : {measure_, all_}) button->setVisible(!measuring_);
    progress_->setVisible(measuring_);
    cancel_->setVisible(measuring_);
    cancel_->setEnabled(!stopping_);
    begin_->setVisible(!measuring_);
    empty_->setText(obstacle_.isEmpty()
                        ? tr("How long this model's feed-forward layers take here, dense and without "
                             "frozen neurons. Nothing was measured under these conditions yet.")
                        : obstacle_);
}

void BenchmarkView::show_sentence() {
    if (measuring_) return;
    QStringList sentences;
    if (!message_.isEmpty()) sentences.append(message_);
    const auto& rows = table()->rows();
    if (rows.empty()) {
        sentence_->setText(sentences.join(u' '));
        sentence_->setVisible(!sentences.isEmpty());
        return;
    }
    if (!obstacle_.isEmpty()) sentences.append(obstacle_);
    const auto* best = best_of_mask(rows);
    const bool earlier = best && best->mask != present_.identity;
    if (earlier)
        sentences.append(tr("<b>The mask has changed since it was measured</b> (%1 frozen then): measure "
                            "again.")
                             .arg(percent(best->frozen_share)));
    else if (best)
        sentences.append(tr("The present mask makes the layers %1 as fast; the ideal is %2.")
                             .arg(factor(best->speed.speedup), factor(best->ideal)));
    else if (!conditions().f32)
        sentences.append(tr("No mask was measured under these conditions."));
    if (const double spread = (best ? *best : rows.back()).spread(); spread > calm_spread)
        sentences.append(
            tr("Times spread by %1: something else keeps the machine busy, so measure again when "
               "it is quiet.")
                .arg(percent(spread, 0)));
    const auto newest = std::max_element(
        rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.measured_at < b.measured_at; });
    const auto when = QDateTime::fromSecsSinceEpoch(newest->measured_at);
    sentences.append(tr("Measured on %1, %2.")
                         .arg(QString::fromStdString(results_->processor).toHtmlEscaped(),
                              QString(QLocale().toString(when.date(), QLocale::ShortFormat) + u' ' +
                                      when.toString(u"HH:mm"_s))));
    sentence_->setText(sentences.join(u' '));
    sentence_->show();
}

} // namespace permafrost::widgets
