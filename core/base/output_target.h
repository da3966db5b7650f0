// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where output goes, asked before hours of work: is it a place that can be written, and is it none of the inputs?
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <vector>

namespace permafrost {

/// The path to replace when `path` is written: what a symbolic link points at, also if nothing is there yet. Errors: it
/// exists and is no regular file (a device, a pipe, a folder), or links that lead round in a circle.
Result<std::filesystem::path> resolve_output(const std::filesystem::path& path);

/// Whether both name one file: the same path, a hard link or a symbolic link to it.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Whether a file can be written at `output`, which must be none of `inputs`. Nothing stays behind. Errors: as
/// resolve_output(), a folder that is missing or not writable, an input that would be overwritten.
Result<void> check_output(const std::filesystem::path& output,
                          const std::vector<std::filesystem::path>& inputs);

/// The same for files that are to be written into `folder`, which may be missing and is not made.
Result<void> check_output_folder(const std::filesystem::path& folder,
                                 const std::vector<std::filesystem::path>& outputs,
                                 const std::vector<std::filesystem::path>& inputs);

} // namespace permafrost
