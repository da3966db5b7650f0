// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCoreApplication;

namespace permafrost::gui {

/// The program's texts and Qt's own in the language of the locale, where there is a catalogue.
void install_translations(QCoreApplication& application);

} // namespace permafrost::gui
