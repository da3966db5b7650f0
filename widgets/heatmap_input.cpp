// SPDX-License-Identifier: GPL-3.0-or-later
//
// What mouse and keyboard do in the heatmap.
#include "widgets/heatmap_view.h"
#include "widgets/plot_style.h"

#include <QGestureEvent>
#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace permafrost::widgets {

void HeatmapView::connect_mouse() {
    plot_->grabGesture(Qt::PinchGesture);
    connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { pressed_ = event->pos(); });
    connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        if (event->button() != Qt::LeftButton || (event->pos() - pressed_).manhattanLength() > 4) return;
        if (auto cell = cell_at(event->pos())) Q_EMIT selected(*cell);
    });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        const auto cell = cell_at(event->pos());
        Q_EMIT hovered(cell ? describe(*cell) : QString());
        const bool dragging = event->buttons() != Qt::NoButton; // the plot is drawn anew anyway
        show_crosshair(cell && !dragging ? std::optional(event->pos()) : std::nullopt);
    });
    connect(plot_, &QCustomPlot::mouseWheel, this, [this](QWheelEvent* event) {
        const bool layers = event->modifiers().testFlag(Qt::ControlModifier);
        plot_->axisRect()->setRangeZoom(layers ? Qt::Vertical : Qt::Horizontal);
    });
    for (auto* axis : {plot_->xAxis, plot_->yAxis}) {
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] {
            clamp_ranges();
            place_markers();
            refresh_.start();
        });
    }
}

std::optional<Selection> HeatmapView::cell_at(const QPoint& position) const {
    if (!plot_->axisRect()->rect().contains(position) || data_.layers() == 0) return std::nullopt;
    const auto row = std::lround(plot_->yAxis->pixelToCoord(position.y()));
    const auto neuron = std::lround(plot_->xAxis->pixelToCoord(position.x()));
    const auto layer = static_cast<long>(data_.layers()) - 1 - row;
    if (layer < 0 || layer >= static_cast<long>(data_.layers()) || neuron < 0) return std::nullopt;
    if (neuron >= static_cast<long>(profile_->info.intermediate[static_cast<std::size_t>(layer)]))
        return std::nullopt;
    return Selection{static_cast<std::uint32_t>(layer),
                     data_.neuron_at(static_cast<std::uint32_t>(layer), static_cast<std::uint32_t>(neuron))};
}

void HeatmapView::show_crosshair(const std::optional<QPoint>& at) {
    if (!at && !crosshair_[0]->visible()) return;
    for (auto* line : crosshair_) line->setVisible(at.has_value());
    if (at) {
        const double x = plot_->xAxis->pixelToCoord(at->x()), y = plot_->yAxis->pixelToCoord(at->y());
        crosshair_[0]->point1->setCoords(x, 0);
        crosshair_[0]->point2->setCoords(x, 1);
        crosshair_[1]->point1->setCoords(0, y);
        crosshair_[1]->point2->setCoords(1, y);
    }
    plot_->layer(QString::fromUtf16(overlay_layer))->replot();
}

void HeatmapView::pinch(double factor, const QPointF& at) {
    if (factor > 0) plot_->xAxis->scaleRange(1 / factor, plot_->xAxis->pixelToCoord(at.x()));
}

/// Touch screens send gestures of two fingers, touch pads native ones.
bool HeatmapView::handle_gesture(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        const auto* native = static_cast<QNativeGestureEvent*>(event);
        if (native->gestureType() != Qt::ZoomNativeGesture) return false;
        pinch(1 + native->value(), native->position());
        return true;
    }
    if (event->type() != QEvent::Gesture) return false;
    const auto* two_fingers =
        static_cast<QPinchGesture*>(static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture));
    if (!two_fingers) return false;
    pinch(two_fingers->scaleFactor(), plot_->mapFromGlobal(two_fingers->centerPoint()));
    return true;
}

void HeatmapView::move_selection(int layers, int neurons) {
    if (!profile_ || data_.layers() == 0) return;
    const auto layer = std::clamp<long>(static_cast<long>(selection_.layer) + layers, 0, data_.layers() - 1L);
    const long last = static_cast<long>(profile_->info.intermediate[static_cast<std::size_t>(layer)]) - 1;
    // Up and down keep the neuron, left and right move along the axis as it is sorted.
    const auto row = static_cast<std::uint32_t>(layer);
    const auto kept = std::min<long>(selection_.neuron ? static_cast<long>(*selection_.neuron) : 0, last);
    const long from = data_.position_of(row, static_cast<std::uint32_t>(std::max(0L, kept)));
    const auto place = std::clamp<long>(from + neurons, 0, std::max(0L, last));
    Q_EMIT selected(Selection{row, data_.neuron_at(row, static_cast<std::uint32_t>(place))});
    if (!plot_->xAxis->range().contains(static_cast<double>(place)))
        plot_->xAxis->moveRange(static_cast<double>(place) - plot_->xAxis->range().center());
}

void HeatmapView::keyPressEvent(QKeyEvent* event) {
    const int step = static_cast<int>(bin_) * (event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1);
    switch (event->key()) {
    case Qt::Key_Up:
        move_selection(-1, 0);
        break;
    case Qt::Key_Down:
        move_selection(1, 0);
        break;
    case Qt::Key_Left:
        move_selection(0, -step);
        break;
    case Qt::Key_Right:
        move_selection(0, step);
        break;
    case Qt::Key_Plus:
        zoom(0.5);
        break;
    case Qt::Key_Minus:
        zoom(2);
        break;
    case Qt::Key_0:
    case Qt::Key_Home:
        fit();
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    event->accept();
}

bool HeatmapView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == plot_ && event->type() == QEvent::Leave) {
        Q_EMIT hovered({});
        show_crosshair(std::nullopt);
    }
    if (watched == plot_ && handle_gesture(event)) return true;
    if (watched == plot_ && event->type() == QEvent::Resize) refresh_.start();
    return QWidget::eventFilter(watched, event);
}

} // namespace permafrost::widgets
