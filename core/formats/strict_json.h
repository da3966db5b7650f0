// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace permafrost::formats {

/// Parses a JSON text from outside. Errors, with `where` in front: no JSON, nested deeper than 64, an object that has the
/// same key twice (readers disagree on which one counts).
Result<nlohmann::json> parse_strictly(std::string_view text, const std::string& where);

} // namespace permafrost::formats
