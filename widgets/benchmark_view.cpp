// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/benchmark_view.h"

#include "widgets/benchmark_plot.h"
#include "widgets/benchmark_table.h"
#include "widgets/labels.h"
#include "widgets/numbers.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDateTime>
#include <QGridLayout>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QResizeEvent>
#include <QStackedWidget>

#include <algorithm>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int wide_in_characters = 110; // from here on plot and table stand side by side

QComboBox* add_choice(QGridLayout* grid, int row, const QString& title, const QString& id) {
    auto* choice = new QComboBox;
    choice->setObjectName(id);
    // The longest entry must not make the panel wide.
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(6);
    auto* label = new QLabel(title);
    label->setBuddy(choice);
    grid->addWidget(label, row / 2, row % 2 * 2);
    grid->addWidget(choice, row / 2, row % 2 * 2 + 1);
    return choice;
}

const BenchmarkRow* best_of_mask(const std::vector<BenchmarkRow>& rows) {
    const BenchmarkRow* best = nullptr;
    for (const auto& row : rows)
        if (row.is_of_a_mask() && (!best || row.speed.speedup > best->speed.speedup)) best = &row;
    return best;
}

} // namespace

BenchmarkView::BenchmarkView(std::size_t processors, QWidget* parent)
    : QWidget(parent), processors_(processors) {
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
    stack_->addWidget(build_figures());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(build_choices());
    column->addWidget(progress_);
    column->addWidget(sentence_);
    column->addWidget(stack_, 1);
    for (auto* choice : {tokens_, threads_, weights_})
        connect(choice, &QComboBox::currentIndexChanged, this, &BenchmarkView::show_results);
    show_results();
}

QWidget* BenchmarkView::build_choices() {
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(8);
    tokens_ = add_choice(grid, 0, tr("&At once"), u"benchmark.tokens"_s);
    tokens_->addItem(tr("1 token: generating"), 1);
    tokens_->addItem(tr("%1 tokens: a prompt").arg(prompt_tokens), static_cast<int>(prompt_tokens));
    threads_ = add_choice(grid, 1, tr("T&hreads"), u"benchmark.threads"_s);
    threads_->addItem(tr("all (%1)").arg(processors_), static_cast<int>(processors_));
    if (processors_ > 1) threads_->addItem(tr("1"), 1);
    weights_ = add_choice(grid, 2, tr("We&ights"), u"benchmark.weights"_s);
    weights_->addItem(tr("as stored"), false);
    weights_->addItem(tr("f32, random"), true);
    weights_->setToolTip(tr("The model's own weights, or random ones of the same size as f32"));
    repeats_ = add_choice(grid, 3, tr("Re&peats"), u"benchmark.repeats"_s);
    for (const int repeats : {3, 11, 31}) repeats_->addItem(QString::number(repeats), repeats);
    repeats_->setCurrentIndex(1);
    repeats_->setToolTip(tr("Passes over all layers for each figure; more of them narrow the spread"));
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
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
    grid->addLayout(buttons, 2, 0, 1, 4);
    connect(measure_, &QPushButton::clicked, this, [this] { Q_EMIT requested(request(false)); });
    connect(all_, &QPushButton::clicked, this, [this] { Q_EMIT requested(request(true)); });
    connect(cancel_, &QPushButton::clicked, this, &BenchmarkView::cancel_requested);
    return box;
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

QWidget* BenchmarkView::build_figures() {
    plot_ = new BenchmarkPlot;
    table_ = new BenchmarkTable;
    row_ = muted_label();
    row_->setObjectName(u"benchmark.row"_s);
    row_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* numbers = new QVBoxLayout;
    numbers->setSpacing(4);
    numbers->addWidget(table_, 1);
    numbers->addWidget(row_);
    auto* box = new QWidget;
    sides_ = new QBoxLayout(QBoxLayout::TopToBottom, box);
    sides_->setContentsMargins(0, 0, 0, 0);
    sides_->setSpacing(8);
    sides_->addWidget(plot_, 2);
    sides_->addLayout(numbers, 3);
    connect(table_, &BenchmarkTable::chosen, this, [this](const std::optional<BenchmarkRow>& row) {
        row_->setText(row ? name_of(*row, present_.identity) + u": "_s + figures_of(*row)
                          : tr("Choose a row to read all its figures."));
    });
    return box;
}

BenchmarkConditions BenchmarkView::conditions() const {
    return {weights_->currentData().toBool(), static_cast<std::size_t>(tokens_->currentData().toInt()),
            static_cast<std::size_t>(threads_->currentData().toInt())};
}

BenchmarkRequest BenchmarkView::request(bool all) const {
    BenchmarkRequest request;
    request.repeats = static_cast<std::size_t>(repeats_->currentData().toInt());
    request.conditions = {conditions()};
    if (!all) return request;
    request.conditions.clear();
    for (int tokens = 0; tokens < tokens_->count(); ++tokens)
        for (int threads = 0; threads < threads_->count(); ++threads)
            request.conditions.push_back({conditions().f32,
                                          static_cast<std::size_t>(tokens_->itemData(tokens).toInt()),
                                          static_cast<std::size_t>(threads_->itemData(threads).toInt())});
    return request;
}

BenchmarkRequest BenchmarkView::request_of_mask() const {
    return {{{false, 1, processors_}}, true, static_cast<std::size_t>(repeats_->currentData().toInt())};
}

void BenchmarkView::set_repeats(std::size_t repeats) {
    const int index = repeats_->findData(static_cast<int>(repeats));
    if (index >= 0) repeats_->setCurrentIndex(index);
}

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
    plot_->set_rows(rows, present_.identity, present_.frozen_share);
    table_->set_rows(rows, present_.identity);
    stack_->setCurrentIndex(rows.empty() ? 0 : 1);
    show_buttons();
    show_sentence();
}

void BenchmarkView::show_buttons() {
    const bool possible = obstacle_.isEmpty() && !measuring_;
    for (auto* button : {measure_, all_, begin_}) button->setEnabled(possible);
    for (auto* button : {measure_, all_}) button->setVisible(!measuring_);
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
    const auto& rows = table_->rows();
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
        sentences.append(tr("The present mask makes the layers %1 as fast, of the ideal %2.")
                             .arg(factor(best->speed.speedup), factor(best->ideal)));
    else if (!conditions().f32)
        sentences.append(tr("No mask was measured under these conditions."));
    const auto newest = std::max_element(
        rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.measured_at < b.measured_at; });
    const auto when = QDateTime::fromSecsSinceEpoch(newest->measured_at);
    sentences.append(tr("Measured on %1, %2.")
                         .arg(QString::fromStdString(results_->processor).toHtmlEscaped(),
                              QLocale().toString(when, QLocale::ShortFormat)));
    sentence_->setText(sentences.join(u' '));
    sentence_->show();
}

void BenchmarkView::resizeEvent(QResizeEvent* event) {
    const bool wide = event->size().width() > wide_in_characters * fontMetrics().averageCharWidth();
    sides_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    QWidget::resizeEvent(event);
}

} // namespace permafrost::widgets
