// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <optional>
#include <string>
#include <string_view>

namespace permafrost {

/// RFC 4648 with padding, in one line.
std::string to_base64(ByteSpan bytes);
/// Empty for a text that is no such thing.
std::optional<std::string> from_base64(std::string_view text);

} // namespace permafrost
