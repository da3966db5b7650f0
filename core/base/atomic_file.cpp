// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"

#include "core/base/output_target.h"
#include "core/base/system_error.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace permafrost {
namespace {

Error failed(const char* what, const std::filesystem::path& path) { return system_error(what, path, errno); }

// Why no temporary file can be made beside the target, given as errno.
Error cannot_create(const std::filesystem::path& target) {
    const int number = errno;
    const auto folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
    const auto because = [&](const std::string& why) {
        return Error{"cannot write " + target.string() + ": the folder " + folder.string() + why};
    };
    std::error_code missing;
    if (!std::filesystem::exists(folder, missing) && number == ENOENT)
        return because(" does not exist; create it first");
    if (number == ENOENT) return because(" takes no new files; choose another");
    if (number == EACCES || number == EPERM || number == EROFS)
        return because(" is not writable; choose another");
    return system_error("cannot write", target, number);
}

// What open(2) would give a new file; mkstemp gives 0600.
mode_t default_mode() {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

} // namespace

AtomicFile::AtomicFile(std::filesystem::path target, std::filesystem::path temporary, int descriptor)
    : target_(std::move(target)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)), temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
    if (this != &other) {
        abandon();
        target_ = std::move(other.target_);
        temporary_ = std::move(other.temporary_);
        descriptor_ = std::exchange(other.descriptor_, -1);
        size_ = other.size_;
    }
    return *this;
}

AtomicFile::~AtomicFile() { abandon(); }

void AtomicFile::abandon() noexcept {
    if (descriptor_ < 0) return;
    ::close(std::exchange(descriptor_, -1));
    ::unlink(temporary_.c_str());
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& target) {
    PERMAFROST_TRY(const auto real, resolve_output(target));
    auto pattern = real.string() + ".part-XXXXXX";
    const int descriptor = mkostemp(pattern.data(), O_CLOEXEC);
    if (descriptor < 0) return cannot_create(target);
    fchmod(descriptor, default_mode());
    return AtomicFile(real, pattern, descriptor);
}

Result<void> AtomicFile::write(ByteSpan bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return failed("cannot write", target_);
        size_ += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> AtomicFile::overwrite(std::uint64_t offset, ByteSpan bytes) {
    while (!bytes.empty()) {
        const auto written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return failed("cannot write", target_);
        offset += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> AtomicFile::commit() {
    if (fsync(descriptor_) != 0) return failed("cannot write", target_);
    if (::close(std::exchange(descriptor_, -1)) != 0) {
        auto error = failed("cannot write", target_);
        ::unlink(temporary_.c_str());
        return error;
    }
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
        auto error = failed("cannot write", target_);
        ::unlink(temporary_.c_str());
        return error;
    }
    return {};
}

Result<void> write_file(const std::filesystem::path& target, std::string_view text) {
    PERMAFROST_TRY(auto file, AtomicFile::create(target));
    PERMAFROST_CHECK(file.write(text));
    return file.commit();
}

Result<std::string> read_text_file(const std::filesystem::path& path, std::uint64_t limit) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return failed("cannot open", path);
    std::string text;
    char buffer[1 << 16];
    for (;;) {
        const auto count = ::read(descriptor, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            auto error = failed("cannot read", path);
            ::close(descriptor);
            return error;
        }
        if (count == 0) break;
        text.append(buffer, static_cast<std::size_t>(count));
        if (text.size() > limit) {
            ::close(descriptor);
            return Error{path.string() + " is larger than " + std::to_string(limit) +
                         " bytes, too large for a text"};
        }
    }
    ::close(descriptor);
    return text;
}

} // namespace permafrost
