// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/freeze_rule.h"

#include <QString>

namespace permafrost::gui {

/// The `permafrost-cli mask` line that writes the same files as the window does.
QString mask_command(const masks::FreezeRule& rule, const QString& profile, const QString& folder);

} // namespace permafrost::gui
