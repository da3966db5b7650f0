// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/processor.h"

#include <fstream>

namespace permafrost {

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown";
}

} // namespace permafrost
