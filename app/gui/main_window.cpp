// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"

#include "app/gui/actions.h"
#include "app/gui/benchmark_job.h"
#include "app/gui/comparison.h"
#include "app/gui/docks.h"
#include "app/gui/export_dialog.h"
#include "app/gui/export_job.h"
#include "app/gui/presets.h"
#include "app/gui/quality_job.h"
#include "app/gui/recent_files.h"
#include "app/gui/removal_job.h"
#include "app/gui/rule_advisor.h"
#include "app/gui/run_panel.h"
#include "app/gui/session_keeper.h"
#include "app/gui/settings.h"
#include "app/gui/status_line.h"
#include "app/gui/views.h"
#include "app/gui/windows.h"
#include "widgets/benchmark_view.h"
#include "widgets/empty_state.h"
#include "widgets/message_bar.h"
#include "widgets/numbers.h"
#include "widgets/quality_view.h"
#include "widgets/theme.h"
#include "widgets/trend_view.h"
#include "widgets/verdict_card.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <utility>

namespace permafrost::gui {

using namespace Qt::StringLiterals;

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
    setObjectName(u"main.window"_s);
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setAnimated(false);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    resize(1440, 900);
    views_ = new Views(workbench_.session(), this);
    actions_ = new Actions(workbench_.session().undo_stack(), this);
    run_panel_ = new RunPanel;
    status_ = new StatusLine(statusBar());
    recent_ = new RecentFiles(this);
    export_ = new ExportDialog(this);
    export_job_ = new ExportJob(workbench_, this);
    build_centre();
    docks_ = new Docks(this, *views_, run_panel_, workbench_.session().undo_stack());
    comparison_ = new Comparison(workbench_.session(), views_->trend, this);
    keeper_ = new SessionKeeper(workbench_, *views_, *comparison_, docks_->notes_text, this);
    presets_ = new PresetMenu(workbench_.session(), this);
    build_menus();
    build_toolbar();
    connect_files();
    connect_session();
    connect_run();
    connect_view_actions();
    views_->load_settings();
    docks_->restore();
    quality_ = new QualityJob(workbench_, views_->quality, this);
    connect(quality_, &QualityJob::measured, views_->verdict, &widgets::VerdictCard::set_quality);
    connect_benchmark();
    connect(views_->quality, &widgets::QualityView::sweep_requested, this, &MainWindow::choose_sweep);
    connect(views_->quality, &widgets::QualityView::questions_file_requested, this,
            &MainWindow::choose_questions);
    new RemovalJob(workbench_, views_->neuron, this);
    auto* advisor = new RuleAdvisor(workbench_.session(), views_->verdict, this);
    connect(views_, &Views::target_requested, advisor, &RuleAdvisor::freeze_share);
    connect(views_->trend, &widgets::TrendView::compare_requested, this, &MainWindow::choose_comparison);
    const auto problem = [this](const QString& message) {
        messages_->show_message(widgets::MessageBar::Kind::Problem, message);
    };
    connect(advisor, &RuleAdvisor::failed, this, problem);
    connect(quality_, &QualityJob::swept, this, [problem](const QString& message) {
        if (!message.isEmpty()) problem(message);
    });
    connect(comparison_, &Comparison::failed, this, problem);
    follow_state();
    show_look();
    show_title();
    offer_to_restore();
}

MainWindow::~MainWindow() = default;

void MainWindow::build_centre() {
    auto* empty = new widgets::EmptyState;
    centre_ = new QStackedWidget;
    centre_->addWidget(empty);
    centre_->addWidget(views_->tabs);
    messages_ = new widgets::MessageBar;
    auto* frame = new QWidget;
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(messages_);
    column->addWidget(centre_, 1);
    setCentralWidget(frame);
    connect(empty, &widgets::EmptyState::open_requested, actions_->open, &QAction::trigger);
    connect(empty, &widgets::EmptyState::demo_requested, actions_->open_demo, &QAction::trigger);
}

void MainWindow::connect_files() {
    connect(actions_->open, &QAction::triggered, this, &MainWindow::choose_file);
    connect(actions_->open_demo, &QAction::triggered, this, [this] { workbench_.open(u"demo"_s); });
    connect(actions_->save_profile, &QAction::triggered, this, &MainWindow::choose_profile_path);
    connect(actions_->export_masks, &QAction::triggered, this, &MainWindow::show_export);
    connect(actions_->new_window, &QAction::triggered, this, [this] { open_window(this); });
    connect(actions_->close, &QAction::triggered, this, &QWidget::close);
    connect(actions_->quit, &QAction::triggered, qApp, &QApplication::closeAllWindows);
    connect(recent_, &RecentFiles::chosen, this, &MainWindow::open);
    connect(&workbench_, &Workbench::opened, recent_, &RecentFiles::add);
    connect(&workbench_, &Workbench::opened, this, [this] {
        messages_->hide();
        show_title();
    });
    connect(&workbench_, &Workbench::model_opened, this, [this] {
        run_panel_->set_model(workbench_.model());
        docks_->run->raise();
        if (start_when_open_) start_run();
        start_when_open_ = false;
    });
    connect(&workbench_, &Workbench::profile_opened, this, [this] { docks_->layers->raise(); });
    connect(&workbench_, &Workbench::failed, this, [this](const QString& message) {
        messages_->show_message(widgets::MessageBar::Kind::Problem, message,
                                {{tr("Open another…"), [this] { actions_->open->trigger(); }}});
    });
    connect(&workbench_, &Workbench::profile_saved, this, [this](const QString& path) {
        recent_->add(path);
        messages_->show_message(widgets::MessageBar::Kind::Success,
                                tr("The profile is saved as %1.").arg(path));
        show_title();
    });
    connect(&workbench_, &Workbench::export_finished, this, &MainWindow::report_export);
    connect(export_job_, &ExportJob::finished, this, &MainWindow::report_export);
    connect(export_job_, &ExportJob::progressed, this, &MainWindow::report_export_progress);
    connect(export_, &ExportDialog::export_requested, this, [this](const ExportRequest& request) {
        if (request.kind == ExportRequest::Kind::Masks)
            workbench_.export_masks(request.path, views_->verdict->gate());
        else
            export_job_->start(request);
    });
}

void MainWindow::connect_session() {
    using widgets::MessageBar;
    connect(actions_->save_session, &QAction::triggered, this, &MainWindow::choose_session_path);
    connect(keeper_, &SessionKeeper::saved, this, [this](const QString& path) {
        recent_->add(path);
        messages_->show_message(MessageBar::Kind::Success, tr("The session is saved as %1.").arg(path));
    });
    connect(keeper_, &SessionKeeper::opened, this, [this](const QString& path) {
        if (!path.isEmpty()) recent_->add(path);
    });
    const auto problem = [this](const QString& message) {
        messages_->show_message(MessageBar::Kind::Problem, message);
    };
    connect(keeper_, &SessionKeeper::failed, this, problem);
    connect(keeper_, &SessionKeeper::warned, this, problem);
    connect(presets_, &PresetMenu::failed, this, problem);
}

void MainWindow::connect_run() {
    connect(&workbench_, &Workbench::state_changed, this, &MainWindow::follow_state);
    connect(actions_->start, &QAction::triggered, this, &MainWindow::start_run);
    connect(run_panel_, &RunPanel::start_requested, actions_->start, &QAction::trigger);
    connect(actions_->pause, &QAction::triggered, &workbench_, &Workbench::pause);
    connect(actions_->cancel, &QAction::triggered, &workbench_, &Workbench::cancel);
    connect(&workbench_, &Workbench::run_progressed, status_, &StatusLine::show_progress);
    connect(&workbench_, &Workbench::run_finished, this, &MainWindow::report_run);
    connect(&workbench_.session(), &Session::decision_changed, this, &MainWindow::follow_decision);
    connect(views_, &Views::hovered, status_, &StatusLine::show_hover);
}

void MainWindow::connect_benchmark() {
    benchmark_ = new BenchmarkJob(workbench_, *quality_, views_->benchmark, this);
    const auto measure = [this](const widgets::BenchmarkRequest& request) {
        docks_->benchmark->show();
        docks_->benchmark->raise();
        benchmark_->measure(request);
    };
    const auto follow = [this] {
        const bool possible = benchmark_->obstacle().isEmpty() && !benchmark_->is_measuring();
        actions_->benchmark->setEnabled(possible);
        views_->verdict->set_measurable(possible, benchmark_->is_measuring());
        if (!possible || workbench_.is_opening() || !std::exchange(benchmark_when_open_, false)) return;
        QMetaObject::invokeMethod(actions_->benchmark, &QAction::trigger, Qt::QueuedConnection);
    };
    connect(actions_->benchmark, &QAction::triggered, this,
            [this, measure] { measure(views_->benchmark->request(false)); });
    connect(views_->verdict, &widgets::VerdictCard::measure_requested, this,
            [this, measure] { measure(views_->benchmark->request_of_mask()); });
    connect(benchmark_, &BenchmarkJob::measured, views_->verdict, &widgets::VerdictCard::set_speed);
    connect(benchmark_, &BenchmarkJob::state_changed, this, follow);
    follow();
}

void MainWindow::start_run() {
    messages_->hide();
    run_panel_->save_settings();
    docks_->layers->raise();
    workbench_.start(run_panel_->request());
}

bool MainWindow::has_statistics() { return widgets::has_statistics(workbench_.session().profile()); }

void MainWindow::follow_state() {
    const bool running = workbench_.is_running();
    const bool has_profile = has_statistics();
    actions_->start->setEnabled(workbench_.model() && !running);
    actions_->pause->setEnabled(running);
    actions_->pause->setChecked(workbench_.is_paused());
    actions_->cancel->setEnabled(running);
    actions_->save_profile->setEnabled(has_profile && !running);
    actions_->save_session->setEnabled(has_profile && !running);
    actions_->export_masks->setEnabled(has_profile);
    actions_->save_picture->setEnabled(has_profile);
    run_panel_->set_running(running);
    status_->show_run(running, workbench_.is_paused());
    status_->show_opening(workbench_.is_opening());
    centre_->setCurrentIndex(workbench_.model() || has_profile || running ? 1 : 0);
    if (!running && !has_profile && workbench_.model())
        status_->show_state(tr("Ready: choose the text and press Start (F5)."));
}

void MainWindow::follow_decision() {
    auto& session = workbench_.session();
    const bool has_profile = has_statistics();
    if (has_profile != actions_->export_masks->isEnabled()) follow_state();
    if (export_->isVisible()) fill_export();
    show_title();
    if (!has_profile) return;
    const auto& info = session.profile()->info;
    status_->show_state(tr("%1 · %2 tokens · %3")
                            .arg(QString::fromStdString(info.model_name), widgets::count(info.tokens),
                                 QString::fromStdString(info.corpus_source)));
}

void MainWindow::show_title() {
    QString subject;
    if (const auto& profile = workbench_.session().profile())
        subject = QString::fromStdString(profile->info.model_name);
    else if (const auto& model = workbench_.model())
        subject = QString::fromStdString(model->config.name);
    const bool unsaved = has_statistics() && workbench_.profile_path().isEmpty();
    setWindowModified(unsaved);
    setWindowTitle(subject.isEmpty() ? tr("Permafrost") : subject + u"[*] – "_s + tr("Permafrost"));
}

void MainWindow::set_theme(const QString& name, bool remember) {
    const auto choice = widgets::theme_choice_from_name(name);
    widgets::apply_theme(choice);
    show_look();
    if (remember) write_setting(settings::theme, widgets::name_of(choice));
}

void MainWindow::show_look() {
    for (auto* action :
         {actions_->theme_system, actions_->theme_light, actions_->theme_dark, actions_->theme_contrast})
        action->setChecked(action->data().toString() == widgets::name_of(widgets::theme_choice()));
    const int size = read_setting(settings::text_size).toInt();
    for (auto* action : actions_->text_sizes->actions()) action->setChecked(action->data().toInt() == size);
}

void MainWindow::changeEvent(QEvent* event) {
    if (actions_ && event->type() == QEvent::PaletteChange) actions_->restyle();
    if (actions_ && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange))
        show_look(); // another window may have changed it
    QMainWindow::changeEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    run_panel_->save_settings();
    views_->save_settings();
    docks_->save();
    keeper_->close();
    workbench_.cancel(); // waited for when the workbench goes, without an event loop of its own
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    auto* window = this;
    for (const auto& url : event->mimeData()->urls()) {
        if (!url.isLocalFile()) continue;
        if (!window) window = open_window(this);
        window->open(url.toLocalFile());
        event->acceptProposedAction();
        window = nullptr; // each further file gets its own
    }
}

} // namespace permafrost::gui
