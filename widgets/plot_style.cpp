// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_style.h"

#include "widgets/theme.h"

#include <QApplication>
#include <qcustomplot.h>

namespace permafrost::widgets {

void style_axis(QCPAxis& axis) {
    const auto& colours = theme();
    const QPen line(colours.muted, 1);
    axis.setBasePen(line);
    axis.setTickPen(line);
    axis.setSubTickPen(line);
    axis.setLabelColor(colours.text);
    axis.setTickLabelColor(colours.text);
    axis.setLabelFont(QApplication::font());
    axis.setTickLabelFont(QApplication::font());
    axis.setLabelPadding(4);
    QColor grid = colours.line;
    axis.grid()->setPen(QPen(grid, 1));
    grid.setAlphaF(0.5F);
    axis.grid()->setSubGridPen(QPen(grid, 1));
    axis.grid()->setZeroLinePen(QPen(colours.line, 1));
}

void style_plot(QCustomPlot& plot) {
    const auto& colours = theme();
    plot.setBackground(colours.surface);
    for (auto* rect : plot.axisRects())
        for (auto* axis : rect->axes()) style_axis(*axis);
    for (int i = 0; i < plot.plotLayout()->elementCount(); ++i) {
        auto* element = plot.plotLayout()->elementAt(i);
        if (auto* legend = qobject_cast<QCPLegend*>(element)) {
            legend->setBrush(Qt::NoBrush);
            legend->setBorderPen(Qt::NoPen);
            legend->setTextColor(colours.text);
            legend->setFont(QApplication::font());
            for (int item = 0; item < legend->itemCount(); ++item) {
                legend->item(item)->setTextColor(colours.text);
                legend->item(item)->setFont(QApplication::font());
            }
        }
        if (auto* scale = qobject_cast<QCPColorScale*>(element)) style_axis(*scale->axis());
    }
}

QPen line_pen(const QColor& colour) { return QPen(colour, 1.5); }
QPen threshold_pen() { return QPen(theme().accent, 2); }

void add_overlay_layer(QCustomPlot& plot) {
    const auto name = QString::fromUtf16(overlay_layer);
    plot.addLayer(name, plot.layer(QStringLiteral("legend")), QCustomPlot::limBelow);
    plot.layer(name)->setMode(QCPLayer::lmBuffered);
}

QCPLegend* add_legend_row(QCustomPlot& plot) {
    plot.plotLayout()->insertRow(0);
    auto* legend = new QCPLegend;
    plot.plotLayout()->addElement(0, 0, legend);
    legend->setLayer(QStringLiteral("legend"));
    legend->setFillOrder(QCPLegend::foColumnsFirst);
    legend->setWrap(0);
    legend->setMargins(QMargins(4, 4, 4, 0));
    legend->setColumnSpacing(16);
    legend->setIconSize(24, 18);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    plot.setAutoAddPlottableToLegend(false);
    return legend;
}

void fold_legend(QCustomPlot& plot, QCPLegend* legend) {
    constexpr int narrowest = 200;
    plot.setMinimumWidth(narrowest);
    const auto wrap = [legend](int columns) {
        legend->setWrap(columns);
        legend->setFillOrder(QCPLegend::foColumnsFirst, true);
    };
    QObject::connect(&plot, &QCustomPlot::beforeReplot, legend, [&plot, legend, wrap] {
        wrap(0);
        if (legend->minimumOuterSizeHint().width() > plot.width()) wrap((legend->itemCount() + 1) / 2);
    });
}

} // namespace permafrost::widgets
