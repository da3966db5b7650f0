// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluated settings are kept in the program's data folder, a file for each model, text and number of windows, so that no measurement
// is made twice and a sweep goes on where it stopped. Not for the GUI thread.
#pragma once

#include "core/quality/sweep.h"

#include <QString>

namespace permafrost::gui {

/// What was measured of the subject; no settings when nothing was, or when the file is damaged (it is replaced then).
quality::Sweep read_kept(const quality::SweepSubject& subject);

/// Adds to what is kept, and gives all of it back. Errors: the file cannot be written.
Result<quality::Sweep> keep(const quality::Sweep& news);

} // namespace permafrost::gui
