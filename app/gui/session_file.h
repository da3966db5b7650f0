// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/masks/freeze_rule.h"
#include "widgets/view_data.h"

#include <QStringList>

namespace permafrost::gui {

/// What a `.permafrost` file keeps of a window: which profile and model it is about, the thresholds, where the person looks,
/// and notes. JSON, so that it can be read and compared; "version" 1, unknown keys are ignored.
struct SavedSession {
    QString profile;        ///< path of the .frost file
    QString profile_sha256; ///< of that file, to notice another one; empty: not known
    QString model;          ///< path of the model, or "demo"; empty: none was open
    masks::FreezeRule rule;
    widgets::Selection selection;
    int tab = 0;
    QString metric;       ///< of the heatmap
    bool sorted = false;  ///< the heatmap lays neurons by that metric, not by index
    QStringList compared; ///< paths of profiles laid over the depth trend
    QString notes;
};

/// Errors: the file cannot be written. Atomic. Paths inside the file's folder are kept relative to it.
Result<void> write_session(const SavedSession& session, const QString& path);
/// Errors: it cannot be read, is no session or of a newer version, or its rule makes no sense.
Result<SavedSession> read_session(const QString& path);

/// SHA-256 of a whole file; empty when it cannot be read.
QString file_sha256(const QString& path);

} // namespace permafrost::gui
