// SPDX-License-Identifier: GPL-3.0-or-later
//
// How every plot looks: the theme's colours, thin grid, 1.5 px lines.
#pragma once

#include <QColor>
#include <QPen>

class QCPAxis;
class QCPAxisRect;
class QCPLegend;
class QCustomPlot;

namespace permafrost::widgets {

/// Background, axes, ticks, labels, grids and legends in the theme's colours. Called at the start and at
/// PaletteChange.
void style_plot(QCustomPlot& plot);
void style_axis(QCPAxis& axis);

QPen line_pen(const QColor& colour);
QPen threshold_pen();

/// Sets the "threshold" and "markers" layers up: drawn on top and replotted alone.
void add_overlay_layer(QCustomPlot& plot);
inline constexpr char16_t overlay_layer[] = u"permafrost.overlay";

/// A legend in a row of its own above the data, entries side by side.
QCPLegend* add_legend_row(QCustomPlot& plot);
/// Such a legend takes a second row where the plot is too narrow for one, so that it does not make the plot wide.
void fold_legend(QCustomPlot& plot, QCPLegend* legend);

} // namespace permafrost::widgets
