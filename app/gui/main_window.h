// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench.h"

#include <QMainWindow>

class QStackedWidget;

namespace permafrost::widgets {
class MessageBar;
}

namespace permafrost::gui {

class Actions;
class BenchmarkJob;
class Comparison;
class Docks;
class ExportDialog;
class ExportJob;
class PresetMenu;
class QualityJob;
class RecentFiles;
class RunPanel;
class SessionKeeper;
class StatusLine;
class Views;

/// Puts the parts together: the workbench that works, the views that show, docks, menus, tool bar and status
/// bar.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Workbench& workbench() { return workbench_; }
    Views& views() { return *views_; }
    Docks& docks() { return *docks_; }
    Actions& actions() { return *actions_; }
    RunPanel& run_panel() { return *run_panel_; }
    /// Starts as soon as the model that is being opened is there.
    void start_when_open() { start_when_open_ = true; }
    /// Likewise, once the profile of a session is there too.
    void benchmark_when_open() { benchmark_when_open_ = true; }
    void set_theme(const QString& name, bool remember);
    /// A model, a profile or a session.
    void open(const QString& location);
    SessionKeeper& keeper() { return *keeper_; }
    PresetMenu& presets() { return *presets_; }
    Comparison& comparison() { return *comparison_; }

  protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void build_centre();
    void build_menus();
    void build_toolbar();
    void connect_files();
    void connect_run();
    void connect_benchmark();
    void connect_view_actions();
    void follow_state();
    void follow_decision();
    void start_run();
    bool has_statistics();
    void choose_file();
    void choose_profile_path();
    void choose_session_path();
    void connect_session();
    void offer_to_restore();
    void restore_all();
    void choose_picture_path();
    void choose_comparison();
    void choose_sweep();
    void choose_questions();
    void show_export();
    void fill_export();
    void report_run(bool complete, bool cancelled, const QString& message);
    void report_export(const ExportReport& report);
    void report_export_progress(const QString& step, int percent);
    void show_title();
    void show_look();
    void show_shortcuts();

    Workbench workbench_;
    Views* views_ = nullptr;
    Actions* actions_ = nullptr;
    Docks* docks_ = nullptr;
    RunPanel* run_panel_ = nullptr;
    StatusLine* status_ = nullptr;
    RecentFiles* recent_ = nullptr;
    ExportDialog* export_ = nullptr;
    ExportJob* export_job_ = nullptr;
    SessionKeeper* keeper_ = nullptr;
    PresetMenu* presets_ = nullptr;
    QualityJob* quality_ = nullptr;
    BenchmarkJob* benchmark_ = nullptr;
    Comparison* comparison_ = nullptr;
    QStackedWidget* centre_ = nullptr;
    widgets::MessageBar* messages_ = nullptr;
    bool start_when_open_ = false;
    bool benchmark_when_open_ = false;
};

} // namespace permafrost::gui
