// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/docks.h"

#include "app/gui/run_panel.h"
#include "app/gui/settings.h"
#include "app/gui/views.h"
#include "widgets/benchmark_view.h"
#include "widgets/layers_table.h"
#include "widgets/neuron_card.h"
#include "widgets/quality_view.h"
#include "widgets/threshold_panel.h"
#include "widgets/verdict_card.h"

#include <QDockWidget>
#include <QGuiApplication>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QScreen>
#include <QTimer>
#include <QUndoView>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

constexpr int layout_version = 3;

} // namespace

Docks::Docks(QMainWindow* window, const Views& views, RunPanel* run_panel, QUndoStack* undo_stack)
    : QObject(window), window_(window) {
    auto* undo_view = new QUndoView(undo_stack);
    undo_view->setObjectName(u"history.view"_s);
    undo_view->setAccessibleName(tr("History"));
    undo_view->setEmptyLabel(tr("Default thresholds"));
    undo_view->setFrameShape(QFrame::NoFrame);
    verdict = add(u"dock.verdict"_s, tr("Verdict"), views.verdict);
    run = add(u"dock.run"_s, tr("Run"), run_panel);
    layers = add(u"dock.layers"_s, tr("Layers"), views.layers);
    neuron = add(u"dock.neuron"_s, tr("Neuron"), views.neuron);
    thresholds = add(u"dock.thresholds"_s, tr("Thresholds"), views.thresholds);
    history = add(u"dock.history"_s, tr("History"), undo_view);
    quality = add(u"dock.quality"_s, tr("Quality"), views.quality);
    benchmark = add(u"dock.benchmark"_s, tr("Benchmark"), views.benchmark);
    notes_text = new QPlainTextEdit;
    notes_text->setObjectName(u"notes.text"_s);
    notes_text->setAccessibleName(tr("Notes"));
    notes_text->setPlaceholderText(tr("What you found and decided. Notes are kept in the session."));
    notes_text->setFrameShape(QFrame::NoFrame);
    notes = add(u"dock.notes"_s, tr("Notes"), notes_text);
    reset();
}

QDockWidget* Docks::add(const QString& id, const QString& title, QWidget* content) {
    auto* dock = new QDockWidget(title, window_);
    dock->setObjectName(id);
    dock->setWidget(content);
    return dock;
}

QList<QDockWidget*> Docks::all() const {
    return {verdict, run, layers, neuron, thresholds, history, quality, benchmark, notes};
}

void Docks::reset() {
    for (auto* dock : all()) {
        dock->setFloating(false);
        window_->removeDockWidget(dock);
    }
    window_->addDockWidget(Qt::TopDockWidgetArea, verdict);
    window_->addDockWidget(Qt::LeftDockWidgetArea, run);
    window_->addDockWidget(Qt::LeftDockWidgetArea, neuron);
    window_->tabifyDockWidget(run, layers);
    window_->addDockWidget(Qt::RightDockWidgetArea, thresholds);
    window_->addDockWidget(Qt::RightDockWidgetArea, quality);
    window_->tabifyDockWidget(quality, benchmark);
    window_->tabifyDockWidget(thresholds, history);
    window_->tabifyDockWidget(history, notes);
    for (auto* dock : all()) dock->show();
    run->raise();
    thresholds->raise();
    quality->raise();
    QTimer::singleShot(0, this, &Docks::share_space); // once the window has its size
}

void Docks::show_review() {
    reset();
    for (auto* dock : {run, neuron, thresholds, history}) dock->hide();
    layers->raise();
    notes->raise();
}

void Docks::show_export() {
    reset();
    for (auto* dock : {run, neuron, thresholds, history, quality, benchmark, notes}) dock->hide();
    layers->raise();
}

void Docks::share_space() {
    const int unit = window_->fontMetrics().averageCharWidth();
    const int left = qMax(unit * 34, window_->width() / 5);
    const int right = qMax(unit * 38, window_->width() / 5);
    window_->resizeDocks({run, thresholds}, {left, right}, Qt::Horizontal);
    window_->resizeDocks({thresholds, quality}, {window_->height() / 2, window_->height() / 2}, Qt::Vertical);
    window_->resizeDocks({run, neuron}, {3 * window_->height() / 8, 2 * window_->height() / 8}, Qt::Vertical);
}

void Docks::save() const {
    write_setting(settings::geometry, window_->saveGeometry());
    write_setting(settings::layout, window_->saveState(layout_version));
}

bool Docks::restore() {
    const auto geometry = read_setting(settings::geometry).toByteArray();
    if (!geometry.isEmpty() && window_->restoreGeometry(geometry)) {
        const auto* screen = QGuiApplication::screenAt(window_->frameGeometry().center());
        if (!screen) screen = QGuiApplication::primaryScreen();
        if (screen && !screen->availableGeometry().contains(window_->frameGeometry().center()))
            window_->move(screen->availableGeometry().topLeft());
    }
    const auto layout = read_setting(settings::layout).toByteArray();
    if (!layout.isEmpty() && window_->restoreState(layout, layout_version)) return true;
    reset();
    return false;
}

} // namespace permafrost::gui
