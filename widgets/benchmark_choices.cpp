// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/benchmark_choices.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>

#include <algorithm>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int wide_in_characters = 90;
constexpr int label_characters = 9; // so that the boxes of two lines stand below each other

std::size_t number(const QVariant& data) { return static_cast<std::size_t>(data.toInt()); }

} // namespace

BenchmarkChoices::BenchmarkChoices(std::size_t processors, QWidget* parent) : QWidget(parent) {
    lines_ = new QBoxLayout(QBoxLayout::TopToBottom, this);
    lines_->setContentsMargins(0, 0, 0, 0);
    lines_->setSpacing(8);
    auto* first = new QHBoxLayout;
    auto* second = new QHBoxLayout;
    for (auto* line : {first, second}) {
        line->setSpacing(8);
        lines_->addLayout(line, 1);
    }
    tokens_ = add_choice(first, tr("T&okens"), u"benchmark.tokens"_s);
    tokens_->addItem(tr("1, generating"), 1);
    tokens_->addItem(tr("%1, a prompt").arg(prompt_tokens), static_cast<int>(prompt_tokens));
    tokens_->setToolTip(tr("At once: one token is generating text, many are reading a prompt"));
    threads_ = add_choice(first, tr("T&hreads"), u"benchmark.threads"_s);
    threads_->addItem(tr("all (%1)").arg(processors), static_cast<int>(processors));
    if (processors > 1) threads_->addItem(u"1"_s, 1);
    weights_ = add_choice(second, tr("We&ights"), u"benchmark.weights"_s);
    weights_->addItem(tr("as stored"), false);
    weights_->addItem(tr("f32, random"), true);
    weights_->setToolTip(tr("The model's own weights, or random ones of the same size as f32"));
    repeats_ = add_choice(second, tr("Re&peats"), u"benchmark.repeats"_s);
    for (const int repeats : {3, 11, 31}) repeats_->addItem(QString::number(repeats), repeats);
    repeats_->setCurrentIndex(1);
    repeats_->setToolTip(tr("Passes over all layers for each figure; more of them make it surer"));
    for (auto* choice : {tokens_, threads_, weights_})
        connect(choice, &QComboBox::currentIndexChanged, this, &BenchmarkChoices::conditions_changed);
}

QComboBox* BenchmarkChoices::add_choice(QBoxLayout* line, const QString& title, const QString& id) {
    auto* choice = new QComboBox;
    choice->setObjectName(id);
    // The longest entry must not make the panel wide.
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(6);
    auto* label = new QLabel(title);
    label->setBuddy(choice);
    label->setMinimumWidth(label_characters * fontMetrics().averageCharWidth());
    line->addWidget(label);
    line->addWidget(choice, 1);
    return choice;
}

BenchmarkConditions BenchmarkChoices::conditions() const {
    return {weights_->currentData().toBool(), number(tokens_->currentData()),
            number(threads_->currentData())};
}

std::vector<BenchmarkConditions> BenchmarkChoices::all_conditions() const {
    std::vector<BenchmarkConditions> all;
    for (int tokens = 0; tokens < tokens_->count(); ++tokens)
        for (int threads = 0; threads < threads_->count(); ++threads)
            all.push_back({weights_->currentData().toBool(), number(tokens_->itemData(tokens)),
                           number(threads_->itemData(threads))});
    return all;
}

std::size_t BenchmarkChoices::repeats() const { return number(repeats_->currentData()); }

void BenchmarkChoices::set_repeats(std::size_t repeats) {
    const int index = repeats_->findData(static_cast<int>(repeats));
    if (index >= 0) repeats_->setCurrentIndex(index);
}

void BenchmarkChoices::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool wide = width() > wide_in_characters * fontMetrics().averageCharWidth();
    lines_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

} // namespace permafrost::widgets
