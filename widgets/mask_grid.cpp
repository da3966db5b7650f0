// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask_grid.h"

#include "widgets/numbers.h"
#include "widgets/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

constexpr int smallest_cell = 4;
constexpr int largest_cell = 14;
constexpr int margin = 8;

} // namespace

MaskGrid::MaskGrid(QWidget* parent) : QAbstractScrollArea(parent) {
    setObjectName(u"mask.grid"_s);
    setAccessibleName(tr("Bitmask of the layer"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setMinimumHeight(96);
}

const masks::LayerMask* MaskGrid::mask() const {
    if (!decision_ || selection_.layer >= decision_->masks.size() || !layer_of(profile_, selection_.layer))
        return nullptr;
    return &decision_->masks[selection_.layer];
}

void MaskGrid::set_data(const ProfilePtr& profile, const DecisionPtr& decision) {
    profile_ = profile;
    decision_ = decision;
    arrange();
    draw_cells();
    viewport()->update();
}

void MaskGrid::set_selection(const Selection& selection) {
    const bool other_layer = selection.layer != selection_.layer;
    selection_ = selection;
    if (other_layer) {
        arrange();
        draw_cells();
    }
    viewport()->update();
}

void MaskGrid::arrange() {
    const auto* layer = mask();
    const int neurons = layer ? static_cast<int>(layer->frozen.size()) : 0;
    gutter_ = fontMetrics().horizontalAdvance(u"000000"_s) + margin;
    const int width = std::max(64, viewport()->width() - gutter_ - margin);
    const int height = std::max(32, viewport()->height() - 2 * margin);
    cell_ = 0;
    for (int bytes : {4, 8, 16, 32, 64, 128}) {
        const int rows = std::max(1, (neurons + bytes * 8 - 1) / (bytes * 8));
        const int cell = std::min({width / (bytes * 8), height / rows, largest_cell});
        if (cell <= cell_) continue;
        cell_ = cell;
        bytes_per_row_ = bytes;
    }
    if (cell_ < smallest_cell) {
        cell_ = smallest_cell;
        bytes_per_row_ = std::max(1, width / (8 * cell_));
    }
    const int rows = (neurons + bytes_per_row_ * 8 - 1) / (bytes_per_row_ * 8);
    verticalScrollBar()->setRange(0, std::max(0, rows * cell_ - height));
    verticalScrollBar()->setPageStep(height);
    verticalScrollBar()->setSingleStep(cell_ * 4);
}

void MaskGrid::draw_cells() {
    const auto* layer = mask();
    if (!layer) {
        cells_ = {};
        return;
    }
    const auto& colours = theme();
    const auto& frozen = layer->frozen;
    const int columns = bytes_per_row_ * 8;
    const int rows = (static_cast<int>(frozen.size()) + columns - 1) / columns;
    cells_ = QImage(columns, std::max(1, rows), QImage::Format_ARGB32_Premultiplied);
    cells_.fill(Qt::transparent);
    for (std::size_t i = 0; i < frozen.size(); ++i) {
        const auto& colour = frozen.test(i)                                        ? colours.frozen
                             : i < layer->guarded.size() && layer->guarded.test(i) ? colours.guarded
                                                                                   : colours.active;
        const auto place = static_cast<int>(i);
        reinterpret_cast<QRgb*>(cells_.scanLine(place / columns))[place % columns] = colour.rgb();
    }
    setAccessibleDescription(
        tr("Layer %1: %2 of %3 neurons are frozen, %4 are guarded.")
            .arg(selection_.layer)
            .arg(count(frozen.count()), count(frozen.size()), count(layer->guarded.count())));
}

QRect MaskGrid::cell_rect(std::uint32_t neuron) const {
    const int columns = bytes_per_row_ * 8;
    const int place = static_cast<int>(neuron);
    return {gutter_ + place % columns * cell_,
            margin + place / columns * cell_ - verticalScrollBar()->value(), cell_, cell_};
}

std::optional<std::uint32_t> MaskGrid::neuron_at(const QPoint& position) const {
    const auto* layer = mask();
    const int columns = bytes_per_row_ * 8;
    const int x = position.x() - gutter_;
    const int y = position.y() - margin + verticalScrollBar()->value();
    if (!layer || x < 0 || y < 0 || x / cell_ >= columns) return std::nullopt;
    const auto neuron = static_cast<std::size_t>(y / cell_) * static_cast<std::size_t>(columns) +
                        static_cast<std::size_t>(x / cell_);
    if (neuron >= layer->frozen.size()) return std::nullopt;
    return static_cast<std::uint32_t>(neuron);
}

QString MaskGrid::describe(std::uint32_t neuron) const {
    const auto* layer = mask();
    if (!layer || neuron >= layer->frozen.size()) return {};
    const auto byte = neuron / 8;
    const auto state = layer->frozen.test(neuron)                                      ? tr("frozen")
                       : neuron < layer->guarded.size() && layer->guarded.test(neuron) ? tr("guarded")
                                                                                       : tr("active");
    return tr("neuron %1 · %2 · byte %3 = 0x%4, bit %5")
        .arg(neuron)
        .arg(state)
        .arg(byte)
        .arg(layer->frozen.bytes()[byte], 2, 16, QChar(u'0'))
        .arg(neuron % 8);
}

void MaskGrid::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().surface);
    if (cells_.isNull()) {
        painter.setPen(theme().muted);
        painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("This layer is not profiled yet."));
        return;
    }
    const int top = margin - verticalScrollBar()->value();
    painter.drawImage(QRect(gutter_, top, cells_.width() * cell_, cells_.height() * cell_), cells_);
    painter.setPen(QPen(theme().surface, 1));
    if (cell_ >= 5) {
        for (int x = 0; x <= cells_.width(); ++x)
            if (cell_ >= 7 || x % 8 == 0)
                painter.drawLine(gutter_ + x * cell_, top, gutter_ + x * cell_,
                                 top + cells_.height() * cell_);
        for (int y = 0; y <= cells_.height(); ++y)
            painter.drawLine(gutter_, top + y * cell_, gutter_ + cells_.width() * cell_, top + y * cell_);
    }
    painter.setPen(theme().muted);
    const int text_step = std::max(1, (fontMetrics().height() + cell_ - 1) / cell_);
    for (int row = 0; row < cells_.height(); row += text_step) {
        const QRect place(0, top + row * cell_ + cell_ / 2 - fontMetrics().height() / 2, gutter_ - 4,
                          fontMetrics().height());
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, QString::number(row * bytes_per_row_));
    }
    if (selection_.neuron && mask() && *selection_.neuron < mask()->frozen.size()) {
        painter.setPen(QPen(theme().text, 2));
        painter.drawRect(cell_rect(*selection_.neuron).adjusted(-1, -1, 0, 0));
    }
}

void MaskGrid::resizeEvent(QResizeEvent*) {
    arrange();
    draw_cells();
}

void MaskGrid::mousePressEvent(QMouseEvent* event) {
    if (auto neuron = neuron_at(event->pos())) Q_EMIT selected(Selection{selection_.layer, neuron});
}

void MaskGrid::mouseMoveEvent(QMouseEvent* event) {
    const auto neuron = neuron_at(event->pos());
    const auto text = neuron ? describe(*neuron) : QString();
    Q_EMIT hovered(text.isEmpty() ? text : tr("layer %1 · ").arg(selection_.layer) + text);
    if (neuron)
        QToolTip::showText(event->globalPosition().toPoint(), text, viewport(), cell_rect(*neuron));
    else
        QToolTip::hideText();
}

void MaskGrid::leaveEvent(QEvent*) { Q_EMIT hovered({}); }

void MaskGrid::keyPressEvent(QKeyEvent* event) {
    const auto* layer = mask();
    if (!layer || layer->frozen.size() == 0) return QAbstractScrollArea::keyPressEvent(event);
    long step = 0;
    switch (event->key()) {
    case Qt::Key_Left:
        step = -1;
        break;
    case Qt::Key_Right:
        step = 1;
        break;
    case Qt::Key_Up:
        step = -bytes_per_row_ * 8;
        break;
    case Qt::Key_Down:
        step = bytes_per_row_ * 8;
        break;
    default:
        return QAbstractScrollArea::keyPressEvent(event);
    }
    const long from = selection_.neuron ? static_cast<long>(*selection_.neuron) : 0;
    const auto to = std::clamp<long>(from + step, 0, static_cast<long>(layer->frozen.size()) - 1);
    Q_EMIT selected(Selection{selection_.layer, static_cast<std::uint32_t>(to)});
}

void MaskGrid::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        arrange();
        draw_cells();
        viewport()->update();
    }
    QAbstractScrollArea::changeEvent(event);
}

} // namespace permafrost::widgets
