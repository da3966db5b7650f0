// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the operating system answered, with what a person can do about it.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace permafrost {

/// "cannot open model.gguf: No such file or directory; check the path". `number` is an errno value.
Error system_error(const std::string& what, const std::filesystem::path& path, int number);

} // namespace permafrost
