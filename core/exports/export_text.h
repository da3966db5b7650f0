// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace permafrost::exports {

/// "8.2" for 0.082: how the seeds write shares.
std::string percent_text(double share);
/// "1.09x"
std::string speedup_text(double speedup);
/// Text from a model file made fit for a terminal or a comment: one line, no control characters.
std::string plain_text(const std::string& text);

} // namespace permafrost::exports
