// SPDX-License-Identifier: GPL-3.0-or-later
//
// All colours of the program come from the tables in theme.cpp. A view asks theme() when it paints or, for
// plots, when it gets QEvent::PaletteChange.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <array>

namespace permafrost::widgets {

enum class ThemeChoice { System, Light, Dark, HighContrast };

/// "system", "light", "dark", "high-contrast"; System for anything else.
ThemeChoice theme_choice_from_name(const QString& name);
QString name_of(ThemeChoice choice);

struct Theme {
    bool dark = false;
    QColor window, surface, text, muted, line, button, accent, on_accent;
    QColor proceed, conditional, skip; ///< repeat what word and shape say
    QColor frozen, guarded, active;    ///< cells of a bitmask
    QColor unprofiled, unprofiled_hatch;
    std::array<QColor, 3> bands;  ///< early, mid, late
    std::array<QColor, 4> series; ///< lines of a plot, in the order they are drawn

    static const Theme& light();
    static const Theme& dark_theme();
    static const Theme& high_contrast();
};

/// What the window shows now.
const Theme& theme();
ThemeChoice theme_choice();

/// Sets style and palette of the whole application; System follows the palette the platform gave at the
/// start.
void apply_theme(ThemeChoice choice);

/// Text of the whole application in percent of the platform's size, 75 … 200.
void apply_text_size(int percent);

QPalette palette_of(const Theme& colours);

} // namespace permafrost::widgets
