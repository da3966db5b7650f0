// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/labels.h"

namespace permafrost::widgets {

QLabel* muted_label(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QLabel* heading_label(const QString& text) {
    auto* label = new QLabel(text);
    auto font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

QLabel* figure_label(const QString& accessible_name) {
    auto* label = new QLabel;
    label->setAccessibleName(accessible_name);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace permafrost::widgets
