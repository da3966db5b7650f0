// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/export_request.h"
#include "core/masks/freeze_rule.h"

#include <QString>

namespace permafrost::gui {

/// The `permafrost-cli mask` line that writes the same files as the window does.
QString mask_command(const masks::FreezeRule& rule, const QString& profile, const QString& folder);

/// A model as a command line names it.
struct NamedModel {
    QString location;
    std::string name; ///< ProfileInfo::model_name
};
/// The line that does what the request asks for: `mask`, and after it `encode` or `prune`.
QString export_command(const ExportRequest& request, const masks::FreezeRule& rule, const QString& profile,
                       const NamedModel& model);

} // namespace permafrost::gui
