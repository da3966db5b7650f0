// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/verdict_badge.h"

#include "widgets/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

constexpr int shape_pixels = 36;
constexpr int gap = 12;

QColor colour_of(verdict::Verdict verdict) {
    switch (verdict) {
    case verdict::Verdict::Proceed:
        return theme().proceed;
    case verdict::Verdict::Conditional:
        return theme().conditional;
    case verdict::Verdict::Skip:
        break;
    }
    return theme().skip;
}

} // namespace

VerdictBadge::VerdictBadge(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    set_verdict(std::nullopt, false, verdict::GateState::NotMeasured, false);
}

void VerdictBadge::set_verdict(std::optional<verdict::Verdict> verdict, bool provisional,
                               verdict::GateState quality, bool blocked) {
    verdict_ = verdict;
    provisional_ = provisional;
    quality_ = quality;
    blocked_ = blocked;
    setAccessibleName(tr("Verdict"));
    setAccessibleDescription(note().isEmpty() ? word() : word() + u", "_s + note());
    updateGeometry();
    update();
}

QString VerdictBadge::word() const {
    if (!verdict_) return tr("NO VERDICT");
    const auto text = verdict::word(*verdict_);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString VerdictBadge::note() const {
    if (!verdict_) return {};
    if (provisional_) return tr("provisional");
    if (blocked_) return tr("blocked by quality");
    if (quality_ == verdict::GateState::NotMeasured) return tr("estimate only");
    return quality_ == verdict::GateState::Passed ? tr("quality passed") : tr("quality failed");
}

QFont VerdictBadge::word_font() const {
    auto bold = font();
    bold.setWeight(QFont::Bold);
    bold.setPointSizeF(bold.pointSizeF() * 1.4);
    return bold;
}

QSize VerdictBadge::sizeHint() const {
    const QFontMetrics metrics(word_font());
    const int text = qMax(metrics.horizontalAdvance(u"CONDITIONAL"_s), metrics.horizontalAdvance(word()));
    return {shape_pixels + gap + text + 4,
            qMax(shape_pixels + 4, metrics.height() + fontMetrics().height() + 4)};
}

void VerdictBadge::paint_shape(QPainter& painter, const QRectF& place) const {
    const auto colour = verdict_ ? colour_of(*verdict_) : theme().muted;
    QPainterPath path;
    if (!verdict_ || *verdict_ == verdict::Verdict::Proceed) {
        path.addEllipse(place);
    } else if (*verdict_ == verdict::Verdict::Conditional) {
        path.moveTo(place.center().x(), place.top());
        path.lineTo(place.bottomRight());
        path.lineTo(place.bottomLeft());
        path.closeSubpath();
    } else {
        path.addRect(place.adjusted(2, 2, -2, -2));
    }
    const bool filled = verdict_ && !provisional_ && !blocked_;
    painter.setPen(QPen(colour, 2.5, filled ? Qt::SolidLine : Qt::DashLine));
    painter.setBrush(filled ? QBrush(colour) : QBrush(Qt::NoBrush));
    painter.drawPath(path);
    if (blocked_) {
        painter.setPen(QPen(theme().skip, 4, Qt::SolidLine, Qt::RoundCap));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(place);
        const double inset = place.width() * 0.15;
        painter.drawLine(place.topLeft() + QPointF(inset, inset),
                         place.bottomRight() - QPointF(inset, inset));
        return;
    }
    if (!verdict_ || *verdict_ != verdict::Verdict::Proceed) return;
    painter.setPen(QPen(filled ? theme().surface : colour, 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    const double w = place.width();
    painter.drawPolyline(QPolygonF({place.topLeft() + QPointF(0.28 * w, 0.53 * w),
                                    place.topLeft() + QPointF(0.45 * w, 0.69 * w),
                                    place.topLeft() + QPointF(0.73 * w, 0.34 * w)}));
}

void VerdictBadge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paint_shape(
        painter,
        QRectF(2, (height() - shape_pixels) / 2.0, shape_pixels - 4, shape_pixels - 4).translated(0, 2));
    const int left = shape_pixels + gap;
    const QFontMetrics large(word_font());
    const auto below = note();
    const int lines = large.height() + (below.isEmpty() ? 0 : fontMetrics().height());
    const int top = (height() - lines) / 2;
    painter.setPen(theme().text);
    painter.setFont(word_font());
    painter.drawText(QRect(left, top, width() - left, large.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     word());
    if (below.isEmpty()) return;
    painter.setFont(font());
    painter.setPen(theme().muted);
    painter.drawText(QRect(left, top + large.height(), width() - left, fontMetrics().height()),
                     Qt::AlignLeft | Qt::AlignVCenter, below);
}

} // namespace permafrost::widgets
