// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/colormaps.h"

#include <QFile>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

QStringList colormap_names() { return {u"cividis"_s, u"viridis"_s, u"magma"_s, u"inferno"_s}; }

QMap<double, QColor> colormap_stops(const QString& name) {
    const auto known = colormap_names().contains(name) ? name : colormap_names().first();
    QMap<double, QColor> stops;
    QFile file(u":/colormaps/"_s + known + u".txt"_s);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) return {{0.0, Qt::black}, {1.0, Qt::white}};
    while (!file.atEnd()) {
        const auto parts = QString::fromLatin1(file.readLine()).simplified().split(u' ');
        if (parts.size() == 2) stops.insert(parts[0].toDouble(), QColor(parts[1]));
    }
    return stops;
}

} // namespace permafrost::widgets
