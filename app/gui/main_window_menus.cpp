// SPDX-License-Identifier: GPL-3.0-or-later
//
// Menus, tool bar, and the dialogs they open. No dialog blocks: each reports by signal.
#include "app/gui/actions.h"
#include "app/gui/command_palette.h"
#include "app/gui/comparison.h"
#include "app/gui/docks.h"
#include "app/gui/export_dialog.h"
#include "app/gui/export_job.h"
#include "app/gui/help.h"
#include "app/gui/main_window.h"
#include "app/gui/presets.h"
#include "app/gui/quality_job.h"
#include "app/gui/recent_files.h"
#include "app/gui/run_panel.h"
#include "app/gui/session_keeper.h"
#include "app/gui/settings.h"
#include "app/gui/shortcuts.h"
#include "app/gui/sweep_dialog.h"
#include "app/gui/views.h"
#include "app/gui/windows.h"
#include "widgets/heatmap_view.h"
#include "widgets/layers_table.h"
#include "widgets/message_bar.h"
#include "widgets/numbers.h"
#include "widgets/quality_view.h"
#include "widgets/theme.h"
#include "widgets/verdict_card.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenuBar>
#include <QTabWidget>
#include <QToolBar>
#include <QUrl>

namespace permafrost::gui {

using namespace Qt::StringLiterals;
using widgets::MessageBar;

void MainWindow::build_menus() {
    auto* file = menuBar()->addMenu(tr("&File"));
    file->addActions({actions_->new_window, actions_->open, actions_->open_demo});
    file->addMenu(recent_);
    file->addSeparator();
    file->addActions({actions_->save_session, actions_->save_profile, actions_->export_masks});
    file->addSeparator();
    file->addActions({actions_->close, actions_->quit});
    auto* edit = menuBar()->addMenu(tr("&Edit"));
    edit->addActions({actions_->undo, actions_->redo});
    edit->addSeparator();
    edit->addAction(actions_->copy_table);
    auto* profile = menuBar()->addMenu(tr("&Profile"));
    profile->addActions({actions_->start, actions_->pause, actions_->cancel});
    profile->addSeparator();
    profile->addAction(actions_->benchmark);
    profile->addSeparator();
    profile->addMenu(presets_);
    profile->addAction(actions_->reset_rule);
    auto* view = menuBar()->addMenu(tr("&View"));
    view->addActions(
        {actions_->zoom_in, actions_->zoom_out, actions_->fit, actions_->back, actions_->forward});
    view->addSeparator();
    auto* theme = view->addMenu(tr("&Theme"));
    theme->addActions(
        {actions_->theme_system, actions_->theme_light, actions_->theme_dark, actions_->theme_contrast});
    auto* text = view->addMenu(tr("Text si&ze"));
    text->addActions(actions_->text_sizes->actions());
    view->addSeparator();
    view->addActions({actions_->save_picture, actions_->full_screen});
    auto* window = menuBar()->addMenu(tr("&Window"));
    for (auto* dock : docks_->all()) window->addAction(dock->toggleViewAction());
    window->addSeparator();
    window->addActions({actions_->layout_explore, actions_->layout_review, actions_->layout_export});
    window->addAction(actions_->reset_layout);
    auto* help = menuBar()->addMenu(tr("&Help"));
    help->addActions({actions_->manual, actions_->commands, actions_->shortcuts});
    help->addSeparator();
    help->addActions({actions_->about, actions_->about_qt});
}

void MainWindow::build_toolbar() {
    auto* bar = addToolBar(tr("Tools"));
    bar->setObjectName(u"toolbar.main"_s);
    bar->setIconSize({20, 20});
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setMovable(false);
    bar->addAction(actions_->open);
    bar->addSeparator();
    bar->addActions({actions_->start, actions_->pause, actions_->cancel});
    bar->addSeparator();
    bar->addActions({actions_->undo, actions_->redo});
    bar->addSeparator();
    bar->addAction(actions_->export_masks);
}

void MainWindow::connect_view_actions() {
    connect(actions_->fit, &QAction::triggered, views_->heatmap, &widgets::HeatmapView::fit);
    connect(actions_->back, &QAction::triggered, views_->heatmap, &widgets::HeatmapView::back);
    connect(actions_->forward, &QAction::triggered, views_->heatmap, &widgets::HeatmapView::forward);
    connect(actions_->zoom_in, &QAction::triggered, views_->heatmap, [this] { views_->heatmap->zoom(0.5); });
    connect(actions_->zoom_out, &QAction::triggered, views_->heatmap, [this] { views_->heatmap->zoom(2); });
    connect(actions_->full_screen, &QAction::toggled, this,
            [this](bool on) { on ? showFullScreen() : showNormal(); });
    connect(actions_->save_picture, &QAction::triggered, this, &MainWindow::choose_picture_path);
    connect(actions_->copy_table, &QAction::triggered, this,
            [this] { QApplication::clipboard()->setText(views_->layers->as_text(false)); });
    connect(actions_->reset_rule, &QAction::triggered, this, [this] {
        workbench_.session().begin_gesture();
        workbench_.session().edit_rule({}, tr("Reset thresholds"));
    });
    for (auto* action :
         {actions_->theme_system, actions_->theme_light, actions_->theme_dark, actions_->theme_contrast})
        connect(action, &QAction::triggered, this,
                [this, action] { set_theme(action->data().toString(), true); });
    connect(actions_->text_sizes, &QActionGroup::triggered, this, [](const QAction* action) {
        write_setting(settings::text_size, action->data().toInt());
        widgets::apply_text_size(action->data().toInt());
    });
    connect(actions_->reset_layout, &QAction::triggered, docks_, &Docks::reset);
    connect(actions_->layout_explore, &QAction::triggered, docks_, &Docks::reset);
    connect(actions_->layout_review, &QAction::triggered, docks_, &Docks::show_review);
    connect(actions_->layout_export, &QAction::triggered, docks_, &Docks::show_export);
    connect(actions_->commands, &QAction::triggered, this,
            [this] { (new CommandPalette(menuBar()->actions(), this))->open(); });
    connect(actions_->shortcuts, &QAction::triggered, this, &MainWindow::show_shortcuts);
    connect(actions_->manual, &QAction::triggered, this, [this] { show_manual(this); });
    connect(actions_->about, &QAction::triggered, this, [this] { show_about(this); });
    connect(actions_->about_qt, &QAction::triggered, qApp, &QApplication::aboutQt);
}

void MainWindow::choose_file() {
    auto* dialog =
        new QFileDialog(this, tr("Open a model or a profile"), read_setting(settings::last_folder).toString(),
                        tr("Models and profiles (*.gguf *.safetensors config.json *.knot *.rknot *.frost "
                           "*.permafrost);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        write_setting(settings::last_folder, QFileInfo(path).path());
        open(path);
    });
    dialog->open();
}

void MainWindow::open(const QString& location) {
    if (location.endsWith(u".permafrost"_s, Qt::CaseInsensitive))
        keeper_->open(location);
    else
        workbench_.open(location);
}

void MainWindow::choose_session_path() {
    auto* dialog =
        new QFileDialog(this, tr("Save the session"), read_setting(settings::last_folder).toString(),
                        tr("Sessions (*.permafrost)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"permafrost"_s);
    if (!keeper_->path().isEmpty())
        dialog->selectFile(keeper_->path());
    else if (const auto& profile = workbench_.session().profile())
        dialog->selectFile(QString::fromStdString(profile->info.model_name) + u".permafrost"_s);
    connect(dialog, &QFileDialog::fileSelected, keeper_, &SessionKeeper::save);
    dialog->open();
}

void MainWindow::offer_to_restore() {
    if (!keeper_->has_leftover()) return;
    messages_->show_message(
        MessageBar::Kind::Information,
        WindowPlace::another_leftover()
            ? tr("Windows were not closed properly the last time. Their sessions were kept.")
            : tr("The window was not closed properly the last time. Its session was kept."),
        {{tr("Restore it"), [this] { restore_all(); }}, {tr("Discard it"), [this] {
                                                             keeper_->discard_leftover();
                                                             WindowPlace::discard_leftovers();
                                                         }}});
}

void MainWindow::restore_all() {
    keeper_->restore_leftover();
    while (WindowPlace::another_leftover()) {
        auto* window = open_window(this);
        if (!window->keeper().has_leftover()) return; // another process was faster
        window->messages_->hide();
        window->keeper().restore_leftover();
    }
}

void MainWindow::show_shortcuts() {
    auto* dialog = new ShortcutsDialog(*actions_, menuBar()->actions(), this);
    connect(dialog, &ShortcutsDialog::chosen, this, [](const ChosenShortcuts& chosen) {
        write_shortcuts(chosen);
        for (auto* window : all_windows()) window->actions().set_shortcuts(chosen);
    });
    dialog->open();
}

void MainWindow::choose_profile_path() {
    auto* dialog = new QFileDialog(this, tr("Save the profile"),
                                   read_setting(settings::last_folder).toString(), tr("Profiles (*.frost)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"frost"_s);
    if (const auto& profile = workbench_.session().profile())
        dialog->selectFile(QString::fromStdString(profile->info.model_name) + u".frost"_s);
    connect(dialog, &QFileDialog::fileSelected, &workbench_, &Workbench::save_profile);
    dialog->open();
}

void MainWindow::choose_picture_path() {
    auto* dialog = new QFileDialog(this, tr("Save a picture of the view"), {}, tr("Pictures (*.png)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"png"_s);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (!views_->tabs->currentWidget()->grab().save(path, "PNG"))
            messages_->show_message(MessageBar::Kind::Problem,
                                    tr("The picture could not be written to %1.").arg(path));
    });
    dialog->open();
}

void MainWindow::choose_comparison() {
    auto* dialog = new QFileDialog(this, tr("Compare with another profile"),
                                   read_setting(settings::last_folder).toString(), tr("Profiles (*.frost)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, comparison_, &Comparison::add);
    dialog->open();
}

void MainWindow::choose_sweep() {
    auto* dialog = new SweepDialog(workbench_.session().rule(), views_->quality->request().handling,
                                   quality_->seconds_a_setting(), this);
    connect(dialog, &SweepDialog::chosen, quality_, &QualityJob::sweep);
    dialog->open();
}

void MainWindow::choose_questions() {
    auto* dialog = new QFileDialog(this, tr("Questions"), read_setting(settings::last_folder).toString(),
                                   tr("Multiple choice (*.csv *.jsonl);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, views_->quality, &widgets::QualityView::set_questions);
    dialog->open();
}

void MainWindow::show_export() {
    workbench_.session().settle();
    fill_export();
    export_->open();
}

void MainWindow::fill_export() {
    auto& session = workbench_.session();
    const auto path = workbench_.profile_path();
    export_->set_data({session.profile(), session.decision(), workbench_.model(), views_->verdict->gate(),
                       path.isEmpty() ? workbench_.place().run_path() : path, export_job_->is_running()});
}

void MainWindow::report_run(bool complete, bool cancelled, const QString& message) {
    const auto& profile = workbench_.session().profile();
    const QList<MessageBar::Offer> keep{
        {tr("Save profile…"), [this] { actions_->save_profile->trigger(); }},
        {tr("Export…"), [this] { actions_->export_masks->trigger(); }, false}};
    if (complete) {
        messages_->show_message(MessageBar::Kind::Success,
                                tr("Profiled %1 tokens. Drag the thresholds, then export the masks.")
                                    .arg(widgets::count(profile ? profile->info.tokens : 0)),
                                keep);
    } else if (cancelled) {
        messages_->show_message(
            MessageBar::Kind::Information,
            has_statistics() ? tr("The run was cancelled; what it has so far is shown and is provisional.")
                             : tr("The run was cancelled before its first layer."),
            {{tr("Run again"), [this] { actions_->start->trigger(); }}});
    } else {
        messages_->show_message(
            MessageBar::Kind::Problem, message,
            {{tr("Change the run…"), [this] { docks_->run->show(), docks_->run->raise(); }},
             {tr("Run again"), [this] { actions_->start->trigger(); }}});
    }
    show_title();
}

void MainWindow::report_export_progress(const QString& step, int percent) {
    messages_->show_message(MessageBar::Kind::Information, tr("%1: %2\u00a0%").arg(step).arg(percent),
                            {{tr("Cancel"), [this] { export_job_->cancel(); }}});
}

void MainWindow::report_export(const ExportReport& report) {
    if (report.cancelled) {
        messages_->show_message(MessageBar::Kind::Information,
                                tr("The export was cancelled; nothing was written."));
        return;
    }
    if (!report.problem.isEmpty()) {
        messages_->show_message(MessageBar::Kind::Problem, report.problem,
                                {{tr("Change the export…"), [this] { actions_->export_masks->trigger(); }}});
        return;
    }
    messages_->show_message(
        MessageBar::Kind::Success,
        tr("%n file(s) written to %1.", nullptr, static_cast<int>(report.files.size()))
                .arg(QDir::toNativeSeparators(report.folder)) +
            (report.remark.isEmpty() ? QString() : QString(u' ' + report.remark)),
        {{tr("Open folder"), [report] { QDesktopServices::openUrl(QUrl::fromLocalFile(report.folder)); },
          false},
         {tr("Copy command"), [report] { QApplication::clipboard()->setText(report.command); }, false}});
}

} // namespace permafrost::gui
