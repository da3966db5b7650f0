// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

#include <QApplication>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>
#include <QToolTip>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

ThemeChoice current_choice = ThemeChoice::Light;
const Theme* current_theme = nullptr;

// Okabe-Ito.
const QColor bluish_green(0x00, 0x9E, 0x73);
const QColor orange(0xE6, 0x9F, 0x00);
const QColor vermillion(0xD5, 0x5E, 0x00);
const QColor sky_blue(0x56, 0xB4, 0xE9);
const QColor reddish_purple(0xCC, 0x79, 0xA7);

/// Fusion draws the frame of an empty tick box in a shade of the window, which dark themes swallow.
class InstrumentStyle : public QProxyStyle {
  public:
    InstrumentStyle() : QProxyStyle(u"Fusion"_s) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (element != PE_IndicatorCheckBox) return;
        painter->save();
        painter->setPen(current_theme ? current_theme->muted : Theme::light().muted);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
    }
};

bool system_is_dark() {
    static const bool dark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    return dark;
}

const Theme& resolve(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::Light:
        return Theme::light();
    case ThemeChoice::Dark:
        return Theme::dark_theme();
    case ThemeChoice::HighContrast:
        return Theme::high_contrast();
    case ThemeChoice::System:
        break;
    }
    return system_is_dark() ? Theme::dark_theme() : Theme::light();
}

} // namespace

const Theme& Theme::light() {
    static const Theme table{
        .dark = false,
        .window = QColor(0xF6, 0xF7, 0xF9),
        .surface = QColor(0xFF, 0xFF, 0xFF),
        .text = QColor(0x1E, 0x23, 0x29),
        .muted = QColor(0x5B, 0x64, 0x70),
        .line = QColor(0xD8, 0xDD, 0xE3),
        .button = QColor(0xF6, 0xF7, 0xF9),
        .accent = QColor(0x1F, 0x6F, 0xB2),
        .on_accent = QColor(0xFF, 0xFF, 0xFF),
        .proceed = bluish_green,
        .conditional = orange,
        .skip = vermillion,
        .frozen = QColor(0x1F, 0x6F, 0xB2),
        .guarded = orange,
        .active = QColor(0xE4, 0xE8, 0xED),
        .unprofiled = QColor(0xE9, 0xEB, 0xEE),
        .unprofiled_hatch = QColor(0xBC, 0xC3, 0xCB),
        .bands = {sky_blue, orange, reddish_purple},
        .series = {QColor(0x1F, 0x6F, 0xB2), vermillion, QColor(0x00, 0x7A, 0x59), QColor(0x5B, 0x64, 0x70)},
    };
    return table;
}

const Theme& Theme::dark_theme() {
    static const Theme table{
        .dark = true,
        .window = QColor(0x1B, 0x1D, 0x22),
        .surface = QColor(0x24, 0x27, 0x2E),
        .text = QColor(0xE6, 0xE9, 0xEE),
        .muted = QColor(0xA2, 0xAB, 0xB8),
        .line = QColor(0x3A, 0x3F, 0x49),
        .button = QColor(0x3A, 0x3F, 0x49),
        .accent = QColor(0x6D, 0xB3, 0xF2),
        .on_accent = QColor(0x10, 0x18, 0x20),
        .proceed = bluish_green,
        .conditional = orange,
        .skip = vermillion,
        .frozen = QColor(0x6D, 0xB3, 0xF2),
        .guarded = orange,
        .active = QColor(0x39, 0x3E, 0x48),
        .unprofiled = QColor(0x2E, 0x32, 0x3A),
        .unprofiled_hatch = QColor(0x55, 0x5C, 0x68),
        .bands = {sky_blue, orange, reddish_purple},
        .series = {QColor(0x6D, 0xB3, 0xF2), QColor(0xF0, 0x8A, 0x3C), QColor(0x35, 0xC7, 0x9C),
                   QColor(0xA2, 0xAB, 0xB8)},
    };
    return table;
}

const Theme& Theme::high_contrast() {
    static const Theme table{
        .dark = true,
        .window = QColor(0x00, 0x00, 0x00),
        .surface = QColor(0x00, 0x00, 0x00),
        .text = QColor(0xFF, 0xFF, 0xFF),
        .muted = QColor(0xE0, 0xE0, 0xE0),
        .line = QColor(0xA0, 0xA0, 0xA0),
        .button = QColor(0x38, 0x38, 0x38),
        .accent = QColor(0xFF, 0xD5, 0x00),
        .on_accent = QColor(0x00, 0x00, 0x00),
        .proceed = QColor(0x2E, 0xE6, 0xAE),
        .conditional = QColor(0xFF, 0xC0, 0x20),
        .skip = QColor(0xFF, 0x82, 0x2E),
        .frozen = QColor(0x4F, 0xD0, 0xFF),
        .guarded = QColor(0xFF, 0xC0, 0x20),
        .active = QColor(0x30, 0x30, 0x30),
        .unprofiled = QColor(0x10, 0x10, 0x10),
        .unprofiled_hatch = QColor(0x90, 0x90, 0x90),
        .bands = {sky_blue, orange, reddish_purple},
        .series = {QColor(0x4F, 0xD0, 0xFF), QColor(0xFF, 0x82, 0x2E), QColor(0x2E, 0xE6, 0xAE),
                   QColor(0xE0, 0xE0, 0xE0)},
    };
    return table;
}

ThemeChoice theme_choice_from_name(const QString& name) {
    for (auto choice : {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::HighContrast})
        if (name == name_of(choice)) return choice;
    return ThemeChoice::System;
}

QString name_of(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::Light:
        return u"light"_s;
    case ThemeChoice::Dark:
        return u"dark"_s;
    case ThemeChoice::HighContrast:
        return u"high-contrast"_s;
    case ThemeChoice::System:
        break;
    }
    return u"system"_s;
}

const Theme& theme() { return current_theme ? *current_theme : Theme::light(); }
ThemeChoice theme_choice() { return current_choice; }

QPalette palette_of(const Theme& colours) {
    QPalette palette(colours.text, colours.window);
    palette.setColor(QPalette::Window, colours.window);
    palette.setColor(QPalette::WindowText, colours.text);
    palette.setColor(QPalette::Base, colours.surface);
    palette.setColor(QPalette::AlternateBase, colours.window);
    palette.setColor(QPalette::Text, colours.text);
    palette.setColor(QPalette::PlaceholderText, colours.muted);
    palette.setColor(QPalette::Button, colours.button);
    palette.setColor(QPalette::ButtonText, colours.text);
    palette.setColor(QPalette::ToolTipBase, colours.surface);
    palette.setColor(QPalette::ToolTipText, colours.text);
    palette.setColor(QPalette::BrightText, colours.skip);
    palette.setColor(QPalette::Highlight, colours.accent);
    palette.setColor(QPalette::HighlightedText, colours.on_accent);
    palette.setColor(QPalette::Link, colours.accent);
    palette.setColor(QPalette::LinkVisited, colours.accent);
    palette.setColor(QPalette::Mid, colours.line);
    palette.setColor(QPalette::Midlight, colours.line);
    palette.setColor(QPalette::Light, colours.surface);
    palette.setColor(QPalette::Dark, colours.muted);
    palette.setColor(QPalette::Shadow, colours.line);
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        auto disabled = colours.muted;
        disabled.setAlpha(150);
        palette.setColor(QPalette::Disabled, role, disabled);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, colours.line);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, colours.muted);
    return palette;
}

void apply_theme(ThemeChoice choice) {
    system_is_dark(); // remembers the platform's palette before it is replaced
    current_choice = choice;
    current_theme = &resolve(choice);
    if (!dynamic_cast<InstrumentStyle*>(QApplication::style())) QApplication::setStyle(new InstrumentStyle);
    const auto palette = palette_of(*current_theme);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

void apply_text_size(int percent) {
    static const QFont platform = QApplication::font();
    auto font = platform;
    font.setPointSizeF(platform.pointSizeF() * qBound(75, percent, 200) / 100.0);
    QApplication::setFont(font);
}

} // namespace permafrost::widgets
