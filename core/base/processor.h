// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace permafrost {

/// The processor's name as Linux gives it, for people; "unknown" where it gives none.
std::string processor_name();

} // namespace permafrost
