// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verdict/decision.h"

#include <QWidget>

#include <optional>

namespace permafrost::widgets {

/// The verdict as a word and a shape: filled circle with a tick, triangle, square; a dashed outline while
/// provisional. Colour only repeats it.
class VerdictBadge : public QWidget {
    Q_OBJECT
  public:
    explicit VerdictBadge(QWidget* parent = nullptr);

    void set_verdict(std::optional<verdict::Verdict> verdict, bool provisional);
    QString word() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void paint_shape(QPainter& painter, const QRectF& place) const;
    QFont word_font() const;

    std::optional<verdict::Verdict> verdict_;
    bool provisional_ = false;
};

} // namespace permafrost::widgets
