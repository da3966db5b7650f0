// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/message_bar.h"

#include "widgets/icons.h"
#include "widgets/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

MessageBar::MessageBar(QWidget* parent) : QFrame(parent) {
    setObjectName(u"message.bar"_s);
    icon_ = new QLabel;
    text_ = new QLabel;
    text_->setObjectName(u"message.text"_s);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text_->setAccessibleName(tr("Message"));
    close_ = new QToolButton;
    close_->setAutoRaise(true);
    close_->setToolTip(tr("Close this message"));
    close_->setAccessibleName(close_->toolTip());
    connect(close_, &QToolButton::clicked, this, &QWidget::hide);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 4, 4);
    row->setSpacing(8);
    row->addWidget(icon_);
    row->addWidget(text_, 1);
    offers_ = new QHBoxLayout;
    offers_->setSpacing(8);
    row->addLayout(offers_);
    row->addWidget(close_);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    restyle();
    hide();
}

QString MessageBar::text() const { return text_->text(); }

void MessageBar::show_message(Kind kind, const QString& text, const QList<Offer>& offers) {
    kind_ = kind;
    text_->setText(text);
    while (auto* item = offers_->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const auto& offer : offers) {
        auto* button = new QPushButton(offer.text);
        connect(button, &QPushButton::clicked, this, [this, offer] {
            if (offer.closes) hide();
            offer.act();
        });
        offers_->addWidget(button);
    }
    restyle();
    show();
}

void MessageBar::restyle() {
    const auto name = kind_ == Kind::Success   ? u"circle-check"_s
                      : kind_ == Kind::Problem ? u"triangle-alert"_s
                                               : u"info"_s;
    const auto& colours = theme();
    const auto colour = kind_ == Kind::Success   ? colours.proceed
                        : kind_ == Kind::Problem ? colours.skip
                                                 : colours.accent;
    icon_->setPixmap(icon(name, colour).pixmap(20));
    close_->setIcon(icon(u"x"_s));
}

void MessageBar::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter painter(this);
    const auto& colours = theme();
    painter.fillRect(0, 0, 4, height(),
                     kind_ == Kind::Success   ? colours.proceed
                     : kind_ == Kind::Problem ? colours.skip
                                              : colours.accent);
    painter.fillRect(0, height() - 1, width(), 1, colours.line);
}

void MessageBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) restyle();
    QFrame::changeEvent(event);
}

} // namespace permafrost::widgets
