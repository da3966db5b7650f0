// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/status_line.h"

#include "widgets/numbers.h"

#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>

#include <cmath>

namespace permafrost::gui {

using namespace Qt::StringLiterals;

StatusLine::StatusLine(QStatusBar* bar) : QObject(bar) {
    hover_ = new QLabel;
    hover_->setObjectName(u"status.hover"_s);
    hover_->setMinimumWidth(120);
    hover_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    state_ = new QLabel;
    state_->setObjectName(u"status.state"_s);
    numbers_ = new QLabel;
    numbers_->setObjectName(u"status.numbers"_s);
    progress_ = new QProgressBar;
    progress_->setObjectName(u"status.progress"_s);
    progress_->setAccessibleName(tr("Progress"));
    progress_->setFixedWidth(160);
    progress_->setMaximumHeight(bar->fontMetrics().height() + 4);
    progress_->setRange(0, 1000);
    bar->addWidget(hover_, 1);
    bar->addPermanentWidget(state_);
    bar->addPermanentWidget(numbers_);
    bar->addPermanentWidget(progress_);
    show_run(false, false);
}

void StatusLine::show_hover(const QString& text) { hover_->setText(text.isEmpty() ? idle_text_ : text); }

void StatusLine::show_state(const QString& text) {
    idle_text_ = text;
    hover_->setText(text);
}

void StatusLine::show_opening(bool opening) {
    if (running_) return;
    progress_->setVisible(opening);
    progress_->setRange(0, opening ? 0 : 1000);
    state_->setText(opening ? tr("opening…") : QString());
}

void StatusLine::show_run(bool running, bool paused) {
    running_ = running;
    progress_->setVisible(running);
    numbers_->setVisible(running);
    if (!running) {
        state_->clear();
        numbers_->clear();
        return;
    }
    state_->setText(paused ? tr("paused") : tr("profiling"));
    progress_->setRange(0, 1000);
    if (numbers_->text().isEmpty()) {
        progress_->setValue(0);
        numbers_->setText(tr("reading the text…"));
    }
}

void StatusLine::show_progress(const profile::RunProgress& progress) {
    progress_->setValue(static_cast<int>(std::lround(progress.share * 1000)));
    progress_->setFormat(widgets::percent(progress.share, 0));
    numbers_->setText(tr("%1 of %2 tokens · %3 tokens/s · %4 elapsed · %5 left")
                          .arg(widgets::count(progress.tokens_done), widgets::count(progress.tokens_total),
                               widgets::significant(progress.tokens_per_second, 3),
                               widgets::duration(progress.elapsed.count()),
                               widgets::duration(progress.remaining.count())));
}

} // namespace permafrost::gui
