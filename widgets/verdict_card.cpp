// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/verdict_card.h"

#include "widgets/labels.h"
#include "widgets/numbers.h"
#include "widgets/theme.h"
#include "widgets/verdict_badge.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

namespace {

/// "With variance below 0.02 h² it becomes CONDITIONAL." for the nearest of each other verdict.
QString describe_changes(const std::vector<VerdictChange>& changes) {
    QStringList sentences;
    std::vector<verdict::Verdict> told;
    for (const auto& change : changes) {
        if (std::find(told.begin(), told.end(), change.verdict) != told.end()) continue;
        told.push_back(change.verdict);
        sentences.append(
            VerdictCard::tr("With “%1” at %2 it becomes %3.")
                .arg(name_of(change.field), with_unit(change.field, change.value, 2),
                     QString::fromUtf8(verdict::word(change.verdict).data(),
                                       static_cast<qsizetype>(verdict::word(change.verdict).size()))));
    }
    return sentences.join(u' ');
}

} // namespace

VerdictCard::VerdictCard(QWidget* parent) : QFrame(parent) {
    setObjectName(u"verdict.card"_s);
    setAccessibleName(tr("Verdict"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 16, 8);
    row->setSpacing(16);
    badge_ = new VerdictBadge;
    sentence_ = new QLabel;
    sentence_->setObjectName(u"verdict.sentence"_s);
    sentence_->setWordWrap(true);
    sentence_->installEventFilter(this);
    sentence_->setMinimumWidth(180);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(badge_);
    row->addWidget(sentence_, 3);
    estimated_ = add_tile(row, tr("Estimated speed-up"), u"verdict.estimated"_s);
    measured_ = add_tile(row, tr("Measured speed-up"), u"verdict.measured"_s);
    quality_ = add_tile(row, tr("Quality"), u"verdict.quality"_s);
    add_measure_button();
    size_figures();
    set_data(nullptr, nullptr);
}

void VerdictCard::add_measure_button() {
    measure_ = new QPushButton(tr("Measure"));
    measure_->setObjectName(u"verdict.measure"_s);
    measure_->setToolTip(tr("Time the feed-forward layers without the neurons that are frozen now"));
    measured_.line->addWidget(measure_, 0, Qt::AlignLeft);
    measured_.line->addStretch(1);
    connect(measure_, &QPushButton::clicked, this, &VerdictCard::measure_requested);
}

VerdictCard::Tile VerdictCard::add_tile(QHBoxLayout* row, const QString& title, const QString& id) {
    auto* line = new QFrame;
    line->setFrameShape(QFrame::VLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    row->addWidget(line);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    Tile tile;
    auto* heading = muted_label(title);
    heading->setWordWrap(false);
    tile.figure = new QLabel;
    tile.figure->setObjectName(id);
    tile.figure->setAccessibleName(title);
    tile.figure->setTextInteractionFlags(Qt::TextSelectableByMouse);
    tile.note = muted_label();
    tile.note->setObjectName(id + u".note"_s);
    tile.note->installEventFilter(this);
    tile.note->setMinimumWidth(fontMetrics().averageCharWidth() * 18);
    tile.line = new QHBoxLayout;
    tile.line->setSpacing(4);
    tile.line->addWidget(tile.figure);
    column->addStretch(1);
    column->addWidget(heading);
    column->addLayout(tile.line);
    column->addWidget(tile.note);
    column->addStretch(1);
    row->addLayout(column, 1);
    return tile;
}

void VerdictCard::set_data(const ProfilePtr& profile, const DecisionPtr& decision) {
    const bool any = decision && has_statistics(profile);
    any_ = any;
    decision_.reset();
    show_quality();
    show_speed();
    if (!any) {
        badge_->set_verdict(std::nullopt, false, verdict::GateState::NotMeasured, false);
        sentence_->setText(tr("Profile a model to see what its frozen neurons are worth."));
        estimated_.figure->setText(QString::fromUtf16(dash));
        estimated_.note->setText(tr("FFN, mean of layers"));
        return;
    }
    decision_ = decision;
    changes_.clear();
    show_verdict();
    estimated_.figure->setText(factor(decision->average_speedup));
    estimated_.note->setText(tr("FFN upper bound · whole model %1").arg(factor(decision->model_speedup)));
    estimated_.note->setToolTip(tr("Mean of the layers' 1 / (1 - frozen share). All FFN work: %1. Whole "
                                   "model, one token at a time: %2.")
                                    .arg(factor(decision->ffn_speedup), factor(decision->model_speedup)));
}

void VerdictCard::show_verdict() {
    const bool blocked = verdict::is_blocked(decision_->verdict, gate_);
    badge_->set_verdict(decision_->verdict, decision_->provisional, gate_.state, blocked);
    const auto reason = QString::fromStdString(verdict::one_sentence(*decision_)).toHtmlEscaped();
    const auto quality = QString::fromStdString(verdict::one_sentence(gate_)).toHtmlEscaped();
    QString sentence = reason + u" <b>"_s + quality + u"</b>"_s;
    if (decision_->verdict == verdict::Verdict::Proceed && gate_.state == verdict::GateState::NotMeasured)
        sentence = reason + u" <b>"_s +
                   tr("An estimate alone must not pass a review: measure quality first.") + u"</b>"_s;
    const auto change = describe_changes(changes_).toHtmlEscaped();
    if (!change.isEmpty()) sentence += u" "_s + change;
    sentence_->setText(sentence);
    setAccessibleDescription(word() + u". "_s + reason + u" "_s + quality + u" "_s + change);
    keep_whole();
}

void VerdictCard::set_changes(const DecisionPtr& decision, const std::vector<VerdictChange>& changes) {
    if (!decision_ || decision != decision_) return;
    changes_ = changes;
    show_verdict();
}

void VerdictCard::set_quality(const std::optional<QualityPoint>& point) {
    point_ = point && point->tokens > 0 ? point : std::nullopt;
    gate_ = verdict::judge_quality(point_ ? point_->measured() : std::nullopt);
    show_quality();
    if (decision_) show_verdict();
}

void VerdictCard::show_quality() {
    if (!any_ || !point_) {
        quality_.figure->setText(any_ ? tr("not measured") : QString::fromUtf16(dash));
        quality_.note->setText(tr("perplexity, KL, accuracy"));
        return keep_whole();
    }
    const auto& result = point_->result;
    quality_.figure->setText(tr("%1 retained").arg(percent(result.accuracy_retained, 2)));
    quality_.note->setText(tr("perplexity %1 · KL %2%3")
                               .arg(factor(result.perplexity_ratio), significant(result.kl_mean, 2),
                                    point_->share < 1 ? tr(" · provisional") : QString()));
    keep_whole();
}

void VerdictCard::set_speed(const std::optional<MeasuredSpeed>& speed) {
    speed_ = speed;
    show_speed();
}

void VerdictCard::set_measurable(bool possible, bool measuring) {
    measuring_ = measuring;
    measure_->setEnabled(possible);
    show_speed();
}

void VerdictCard::show_speed() {
    const bool known = any_ && speed_;
    measure_->setVisible(any_ && (!speed_ || speed_->earlier) && !measuring_);
    measured_.note->setVisible(!any_ || speed_ || measuring_);
    // Beside a figure of an earlier mask, below the words that nothing was measured.
    measured_.line->setDirection(known ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    measured_.figure->setForegroundRole(known && speed_->earlier ? QPalette::PlaceholderText
                                                                 : QPalette::WindowText);
    if (!known) {
        measured_.figure->setText(!any_        ? QString::fromUtf16(dash)
                                  : measuring_ ? tr("measuring…")
                                               : tr("not measured"));
        measured_.note->setText(tr("FFN, on this machine"));
        return keep_whole();
    }
    const auto& row = speed_->row;
    measured_.figure->setText(factor(row.speed.speedup));
    if (speed_->earlier) {
        measured_.note->setText(
            tr("of an earlier mask (%1 frozen): the mask has changed since").arg(percent(row.frozen_share)));
        return keep_whole();
    }
    const auto threads =
        row.conditions.threads == 1 ? tr("1 thread") : tr("%1 threads").arg(row.conditions.threads);
    auto note = row.conditions.tokens == 1 ? tr("FFN measured, generating, %1").arg(threads)
                                           : tr("FFN measured, a prompt, %1").arg(threads);
    if (speed_->model_speedup) note += tr(" · whole model ≈ %1").arg(factor(*speed_->model_speedup));
    measured_.note->setText(note);
    measured_.note->setToolTip(
        tr("Against dense fused layers, frozen neurons %1. The whole model is an estimate: a token's time "
           "goes by the bytes it reads.")
            .arg(row.way == BenchmarkWay::Compacted ? tr("packed away") : tr("skipped where they are")));
    keep_whole();
}

void VerdictCard::size_figures() {
    auto large = font();
    large.setWeight(QFont::DemiBold);
    large.setPointSizeF(large.pointSizeF() * 1.3);
    for (const auto& tile : {estimated_, measured_, quality_})
        if (tile.figure) tile.figure->setFont(large);
}

void VerdictCard::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) size_figures();
    QFrame::changeEvent(event);
}

bool VerdictCard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) keep_whole();
    return QFrame::eventFilter(watched, event);
}

// A dock does not ask for the height that wrapped text needs.
void VerdictCard::keep_whole() {
    const auto margins = layout()->contentsMargins();
    int height = sentence_->heightForWidth(sentence_->width());
    for (const auto& tile : {estimated_, measured_, quality_})
        height =
            std::max(height, (tile.note->isHidden() ? 0 : tile.note->heightForWidth(tile.note->width())) +
                                 tile.line->sizeHint().height() + fontMetrics().lineSpacing());
    setMinimumHeight(height + margins.top() + margins.bottom());
}

QString VerdictCard::word() const { return badge_->word(); }
QString VerdictCard::estimate() const { return estimated_.figure->text(); }

} // namespace permafrost::widgets
