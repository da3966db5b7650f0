// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QMap>
#include <QString>
#include <QStringList>

namespace permafrost::widgets {

/// Names of the colour maps in resources/colormaps; the first is the default.
QStringList colormap_names();
/// Position 0 … 1 -> colour; the default map for a name that is not known.
QMap<double, QColor> colormap_stops(const QString& name);

} // namespace permafrost::widgets
