// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/command_line.h"
#include "app/gui/main_window.h"
#include "app/gui/run_panel.h"
#include "app/gui/settings.h"
#include "app/gui/translations.h"
#include "app/gui/views.h"
#include "app/gui/window_bench.h"
#include "app/gui/windows.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QTabWidget>
#include <QTimer>

#include <cstdio>

namespace {

using namespace permafrost;

/// Renders the window when its time has come, with any platform plugin, and ends the program.
void take_screenshot(gui::MainWindow& window, const gui::Launch& launch) {
    QTimer::singleShot(launch.after, &window, [&window, path = launch.screenshot] {
        const bool written = window.grab().save(path, "PNG");
        if (!written)
            std::fprintf(stderr, "permafrost: the picture could not be written to %s\n", qPrintable(path));
        window.close();
        QCoreApplication::exit(written ? 0 : 1);
    });
}

gui::MainWindow* show_window(const gui::Launch& launch, const QString& file) {
    auto* window = gui::open_window();
    if (launch.size.isValid()) window->resize(launch.size);
    if (launch.request) window->run_panel().set_request(*launch.request);
    if (launch.start) window->start_when_open();
    if (launch.benchmark) window->benchmark_when_open();
    window->views().tabs->setCurrentIndex(launch.tab);
    if (!file.isEmpty()) window->open(file);
    return window;
}

} // namespace

int main(int count, char** arguments) {
    QElapsedTimer since_start;
    since_start.start();
    gui::TimedApplication application(count, arguments);
    gui::set_application_names();
    gui::install_translations(application);
    const auto launch = gui::parse_command_line(QCoreApplication::arguments());
    if (!launch.problem.isEmpty()) {
        std::fprintf(stderr, "permafrost: %s\n", qPrintable(launch.problem));
        return 2;
    }
    const auto theme =
        launch.theme.isEmpty() ? gui::read_setting(gui::settings::theme).toString() : launch.theme;
    widgets::apply_theme(widgets::theme_choice_from_name(theme));
    widgets::apply_text_size(launch.text_size ? launch.text_size
                                              : gui::read_setting(gui::settings::text_size).toInt());
    QApplication::setWindowIcon(widgets::icon(QStringLiteral("permafrost")));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.permafrost.Permafrost"));

    auto* window = show_window(launch, launch.bench ? QString() : launch.files.value(0));
    if (launch.bench) new gui::WindowBench(*window, application, launch.files.first(), since_start);
    for (const auto& file : launch.files.mid(1)) show_window(launch, file);
    if (!launch.screenshot.isEmpty()) take_screenshot(*window, launch);
    const int status = QApplication::exec();
    qDeleteAll(gui::all_windows()); // an exit that closed none
    return status;
}
