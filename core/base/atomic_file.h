// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files appear whole or not at all: bytes go to a temporary file in the target's folder, which is flushed to disk and
// renamed over the target by commit(). Without commit() the temporary file is removed and the target is untouched. A
// symbolic link stays a link: what it points at is replaced.
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"

#include <filesystem>

namespace permafrost {

class AtomicFile {
  public:
    /// Creates the temporary file. Errors: the folder is missing or not writable; the target is a device, a pipe, a folder.
    static Result<AtomicFile> create(const std::filesystem::path& target);

    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&& other) noexcept;
    ~AtomicFile();

    /// Errors: the disk is full or fails.
    Result<void> write(ByteSpan bytes);
    Result<void> write(std::string_view text) { return write(bytes_of(text)); }
    /// Bytes written so far.
    std::uint64_t size() const { return size_; }
    /// Overwrites bytes that were written before (to fill in a header at the end).
    Result<void> overwrite(std::uint64_t offset, ByteSpan bytes);
    Result<void> commit();

  private:
    AtomicFile(std::filesystem::path target, std::filesystem::path temporary, int descriptor);
    void abandon() noexcept;

    std::filesystem::path target_;
    std::filesystem::path temporary_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

Result<void> write_file(const std::filesystem::path& target, std::string_view text);

/// The whole text of a small file (up to `limit` bytes).
Result<std::string> read_text_file(const std::filesystem::path& path,
                                   std::uint64_t limit = std::uint64_t{1} << 31);

} // namespace permafrost
