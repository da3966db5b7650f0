// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/view_data.h"

#include <QAbstractScrollArea>
#include <QImage>

namespace permafrost::widgets {

/// A layer's bitmask, one cell a neuron in the order of the exported bytes: left to right, top to bottom,
/// least significant bit of each byte first.
class MaskGrid : public QAbstractScrollArea {
    Q_OBJECT
  public:
    explicit MaskGrid(QWidget* parent = nullptr);

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    void set_selection(const Selection& selection);
    /// "neuron 12 · frozen · byte 1 = 0x3F, bit 4"
    QString describe(std::uint32_t neuron) const;
    std::optional<std::uint32_t> neuron_at(const QPoint& position) const;
    /// The cell's rectangle in the viewport.
    QRect cell_rect(std::uint32_t neuron) const;

  Q_SIGNALS:
    void selected(const permafrost::widgets::Selection& selection);
    void hovered(const QString& text);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    const masks::LayerMask* mask() const;
    void arrange();
    void draw_cells();

    ProfilePtr profile_;
    DecisionPtr decision_;
    Selection selection_;
    QImage cells_; ///< one pixel a neuron
    int bytes_per_row_ = 8;
    int cell_ = 8; ///< pixels
    int gutter_ = 48;
};

} // namespace permafrost::widgets
