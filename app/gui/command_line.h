// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/run_request.h"

#include <QCommandLineParser>
#include <QSize>
#include <QStringList>

namespace permafrost::gui {

/// What the program was asked to do when it was started.
struct Launch {
    QStringList files;
    QString screenshot;     ///< write a picture of the window here and quit
    int after = 1000;       ///< milliseconds until the picture
    bool start = false;     ///< profile at once
    bool benchmark = false; ///< time the layers as soon as the model is open
    QString theme;          ///< empty: as remembered
    int text_size = 0;      ///< percent; 0: as remembered
    QSize size;             ///< invalid: as remembered
    int tab = 0;
    std::optional<RunRequest> request; ///< only when an option said something about it
    bool bench = false;                ///< measure the window over the file and quit
    QString problem;                   ///< not empty: wrong usage
};

Launch parse_command_line(const QStringList& arguments);

} // namespace permafrost::gui
