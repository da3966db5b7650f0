// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace permafrost {

/// What the system counts for this process, in bytes; zeros where it does not tell.
struct ProcessMemory {
    std::uint64_t anonymous = 0;     ///< memory of its own
    std::uint64_t file_pages = 0;    ///< pages of mapped files
    std::uint64_t peak_resident = 0; ///< both together at their highest
};
ProcessMemory read_process_memory();

} // namespace permafrost
