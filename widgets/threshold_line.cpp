// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/threshold_line.h"

#include "widgets/plot_style.h"
#include "widgets/theme.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace permafrost::widgets {
namespace {

constexpr int grip_pixels = 24;

} // namespace

ThresholdLine::ThresholdLine(QCustomPlot& plot)
    : plot_(plot), line_(new QCPItemStraightLine(&plot)), grip_(new QCPItemEllipse(&plot)),
      text_(new QCPItemText(&plot)) {
    line_->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
    line_->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
    for (auto* position : {grip_->topLeft, grip_->bottomRight, text_->position}) {
        position->setParentAnchor(line_->point1);
        position->setType(QCPItemPosition::ptAbsolute);
    }
    grip_->topLeft->setCoords(-grip_pixels / 2.0, 4);
    grip_->bottomRight->setCoords(grip_pixels / 2.0, 4 + grip_pixels);
    text_->setPadding(QMargins(4, 2, 4, 2));
    for (QCPAbstractItem* item : std::initializer_list<QCPAbstractItem*>{line_, grip_, text_}) {
        item->setLayer(QString::fromUtf16(overlay_layer));
        item->setSelectable(false);
    }
    show(false);
}

void ThresholdLine::show(bool on) {
    shown_ = on;
    for (QCPAbstractItem* item : std::initializer_list<QCPAbstractItem*>{line_, grip_, text_})
        item->setVisible(on);
}

void ThresholdLine::hide() {
    show(false);
    plot_.layer(QString::fromUtf16(overlay_layer))->replot();
}

void ThresholdLine::place(double value, const QString& text) {
    value_ = value;
    show(true);
    line_->point1->setCoords(value, 0);
    line_->point2->setCoords(value, 1);
    const bool left = plot_.xAxis->coordToPixel(value) > plot_.axisRect()->center().x();
    text_->setPositionAlignment((left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    text_->position->setCoords(left ? -16 : 16, 4 + grip_pixels / 2.0);
    text_->setText(text);
    plot_.layer(QString::fromUtf16(overlay_layer))->replot();
}

bool ThresholdLine::is_under(const QPoint& position) const {
    const int reach = grip_pixels / 2;
    return shown_ && plot_.axisRect()->rect().adjusted(-reach, 0, reach, 0).contains(position) &&
           std::fabs(plot_.xAxis->coordToPixel(value_) - position.x()) <= reach;
}

double ThresholdLine::value_at(int x) const {
    const auto* rect = plot_.axisRect();
    return plot_.xAxis->pixelToCoord(std::clamp(x, rect->left(), rect->right()));
}

void ThresholdLine::restyle() {
    const auto& colours = theme();
    line_->setPen(threshold_pen());
    grip_->setPen(QPen(colours.on_accent, 1));
    grip_->setBrush(colours.accent);
    text_->setColor(colours.text);
    text_->setFont(plot_.font());
    auto behind = colours.surface;
    behind.setAlphaF(0.85F);
    text_->setBrush(behind);
}

} // namespace permafrost::widgets
