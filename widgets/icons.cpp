// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/icons.h"

#include "widgets/theme.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace permafrost::widgets {
namespace {

QPixmap render(const QByteArray& source, const QColor& colour, int pixels) {
    QByteArray tinted = source;
    tinted.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(tinted);
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
}

} // namespace

QIcon icon(const QString& name, const QColor& colour) {
    QFile file(QStringLiteral(":/icons/") + name + QStringLiteral(".svg"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const auto source = file.readAll();
    QIcon result;
    for (int pixels : {16, 20, 24, 32, 48, 64}) {
        result.addPixmap(render(source, colour, pixels), QIcon::Normal);
        QPixmap faded = render(source, theme().muted, pixels);
        QPixmap transparent(faded.size());
        transparent.fill(Qt::transparent);
        QPainter painter(&transparent);
        painter.setOpacity(0.45);
        painter.drawPixmap(0, 0, faded);
        painter.end();
        result.addPixmap(transparent, QIcon::Disabled);
    }
    return result;
}

QIcon icon(const QString& name) { return icon(name, theme().text); }

} // namespace permafrost::widgets
