// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace permafrost::widgets {

/// An icon of resources/icons by its file name without ending, in the theme's text colour; muted when
/// disabled.
QIcon icon(const QString& name);
QIcon icon(const QString& name, const QColor& colour);

} // namespace permafrost::widgets
