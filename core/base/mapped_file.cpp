// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/mapped_file.h"

#include "core/base/system_error.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace permafrost {

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
    const auto failed = [&](const char* what) { return system_error(what, path, errno); };
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return failed("cannot open");
    struct stat status {};
    if (fstat(descriptor, &status) != 0) {
        const auto error = failed("cannot examine");
        ::close(descriptor);
        return error;
    }
    if (!S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return Error{path.string() + " is not a regular file; name a file"};
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory = nullptr;
    if (size > 0) {
        memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (memory == MAP_FAILED) {
            const auto error = failed("cannot map");
            ::close(descriptor);
            return error;
        }
    }
    ::close(descriptor);
    return std::shared_ptr<const MappedFile>(
        new MappedFile(ByteSpan(static_cast<const std::byte*>(memory), size)));
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void MappedFile::drop_from_memory(ByteSpan part) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto first = align_up(reinterpret_cast<std::uintptr_t>(part.data()), page);
    const auto last = (reinterpret_cast<std::uintptr_t>(part.data()) + part.size()) & ~(page - 1);
    if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

} // namespace permafrost
