// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verdict/quality_gate.h"

#include <QWidget>

#include <optional>

namespace permafrost::widgets {

/// The verdict as a word and a shape: filled circle with a tick, triangle, square; a dashed outline while
/// provisional, crossed out while measured quality blocks it. Colour only repeats it.
class VerdictBadge : public QWidget {
    Q_OBJECT
  public:
    explicit VerdictBadge(QWidget* parent = nullptr);

    void set_verdict(std::optional<verdict::Verdict> verdict, bool provisional, verdict::GateState quality,
                     bool blocked);
    QString word() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void paint_shape(QPainter& painter, const QRectF& place) const;
    QFont word_font() const;
    QString note() const;

    std::optional<verdict::Verdict> verdict_;
    bool provisional_ = false;
    bool blocked_ = false;
    verdict::GateState quality_ = verdict::GateState::NotMeasured;
};

} // namespace permafrost::widgets
