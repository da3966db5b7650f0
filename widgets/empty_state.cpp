// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/empty_state.h"

#include "widgets/icons.h"
#include "widgets/labels.h"
#include "widgets/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace permafrost::widgets {

using namespace Qt::StringLiterals;

EmptyState::EmptyState(QWidget* parent) : QWidget(parent) {
    setObjectName(u"empty.state"_s);
    picture_ = new QLabel;
    picture_->setAlignment(Qt::AlignCenter);
    auto* title = heading_label(tr("Open a model, or drop one here"));
    title->setAlignment(Qt::AlignCenter);
    auto* text = muted_label(tr("Permafrost runs a language model's feed-forward layers over real text, "
                                "finds the neurons that stay frozen, and "
                                "lets you drag the thresholds to see what skipping them is worth.\n\n"
                                "Models: .gguf, .knot, Hugging Face folders · finished profiles: .frost"));
    text->setAlignment(Qt::AlignCenter);
    text->setFixedWidth(fontMetrics().averageCharWidth() * 80);
    auto* middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(text);
    middle->addStretch(1);
    auto* open = new QPushButton(tr("&Open a file…"));
    open->setDefault(true);
    open->setObjectName(u"empty.open"_s);
    auto* demo = new QPushButton(tr("Try the &demo model"));
    demo->setObjectName(u"empty.demo"_s);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(open);
    buttons->addWidget(demo);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(16);
    column->addStretch(1);
    column->addWidget(picture_);
    column->addWidget(title);
    column->addLayout(middle);
    column->addLayout(buttons);
    column->addStretch(1);
    connect(open, &QPushButton::clicked, this, &EmptyState::open_requested);
    connect(demo, &QPushButton::clicked, this, &EmptyState::demo_requested);
    restyle();
}

void EmptyState::restyle() { picture_->setPixmap(icon(u"snowflake"_s, theme().accent).pixmap(64)); }

void EmptyState::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().muted, 1.5, Qt::DashLine));
    painter.setBrush(theme().surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(16, 16, -16, -16), 8, 8);
}

void EmptyState::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) restyle();
    QWidget::changeEvent(event);
}

} // namespace permafrost::widgets
