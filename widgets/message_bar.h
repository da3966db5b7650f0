// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>

#include <functional>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace permafrost::widgets {

/// A line above the views that says what happened and offers the way out. Never modal.
class MessageBar : public QFrame {
    Q_OBJECT
  public:
    enum class Kind { Information, Success, Problem };
    struct Offer {
        QString text;
        std::function<void()> act;
        bool closes = true;
    };

    explicit MessageBar(QWidget* parent = nullptr);

    void show_message(Kind kind, const QString& text, const QList<Offer>& offers = {});
    QString text() const;

  protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void restyle();

    Kind kind_ = Kind::Information;
    QLabel* icon_ = nullptr;
    QLabel* text_ = nullptr;
    QHBoxLayout* offers_ = nullptr;
    QToolButton* close_ = nullptr;
};

} // namespace permafrost::widgets
