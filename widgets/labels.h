// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace permafrost::widgets {

/// Wrapped text in the theme's muted colour.
QLabel* muted_label(const QString& text = {});
/// A heading: by weight, not by size.
QLabel* heading_label(const QString& text);
/// A figure that can be selected with mouse and keyboard, right-aligned.
QLabel* figure_label(const QString& accessible_name);

} // namespace permafrost::widgets
