// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/main_window.h"
#include "app/gui/settings.h"
#include "core/base/embedded_files.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/temporary_folder.h"
#include "widgets/theme.h"

#include <QSettings>
#include <QStandardPaths>

namespace permafrost::test {

/// Settings and data of a test's own, empty at its start, so that no test sees what a person or another test
/// left.
class OwnSettings {
  public:
    OwnSettings() {
        // Data as well: tests that run at the same time must not find each other's.
        qputenv("HOME", QByteArray::fromStdString(folder_.path().string()));
        QStandardPaths::setTestModeEnabled(true);
        gui::set_application_names();
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope,
                           QString::fromStdString(folder_.path().string()));
        widgets::apply_theme(widgets::ThemeChoice::Light);
    }

  private:
    TemporaryFolder folder_;
};

/// The demo model, or a tiny one of random weights where a build has no demo model.
inline QString small_model(const TemporaryFolder& folder) {
    if (!embedded::demo_model().empty()) return QStringLiteral("demo");
    return QString::fromStdString(write_tiny_llama(folder.path()).string());
}

} // namespace permafrost::test
