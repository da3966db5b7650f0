// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"

#include <filesystem>
#include <memory>

namespace permafrost {

/// A whole file mapped read-only into memory; unmapped when the last owner lets go.
class MappedFile {
  public:
    /// Errors: the file is missing, is not a regular file, or cannot be read. An empty file maps to no bytes.
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);

    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    ByteSpan bytes() const { return bytes_; }

    /// Lets the system drop `part`, which must lie in a mapping of a file (other memory would read as zeros).
    static void drop_from_memory(ByteSpan part);

  private:
    explicit MappedFile(ByteSpan bytes) : bytes_(bytes) {}
    ByteSpan bytes_;
};

} // namespace permafrost
