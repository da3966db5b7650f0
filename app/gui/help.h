// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace permafrost::gui {

/// A window beside the main window with the manual's pages.
void show_manual(QWidget* parent);
/// Version, what it is, and the licences of what it is built with.
void show_about(QWidget* parent);

} // namespace permafrost::gui
