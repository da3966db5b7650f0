// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process_memory.h"

#include <cstdlib>
#include <fstream>
#include <string>

namespace permafrost {

ProcessMemory read_process_memory() {
    ProcessMemory memory;
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        const auto colon = line.find(':');
        if (colon == std::string::npos) continue;
        const auto name = line.substr(0, colon);
        if (name != "RssAnon" && name != "RssFile" && name != "VmHWM") continue;
        const auto kilobytes = std::strtoull(line.c_str() + colon + 1, nullptr, 10);
        (name == "RssAnon"   ? memory.anonymous
         : name == "RssFile" ? memory.file_pages
                             : memory.peak_resident) = kilobytes * 1024;
    }
    return memory;
}

} // namespace permafrost
