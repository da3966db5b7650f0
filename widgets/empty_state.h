// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace permafrost::widgets {

/// What stands in the middle while nothing is open: what goes here, and the buttons that fill it.
class EmptyState : public QWidget {
    Q_OBJECT
  public:
    explicit EmptyState(QWidget* parent = nullptr);

  Q_SIGNALS:
    void open_requested();
    void demo_requested();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void restyle();
    QLabel* picture_ = nullptr;
};

} // namespace permafrost::widgets
