// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

namespace permafrost::formats {

/// Stops a long write and follows it. A write that is stopped returns Cancelled and leaves no file.
struct WriteControl {
    std::stop_token stop;
    /// Called now and then on the writing thread with bytes of tensor data done and in all.
    std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

} // namespace permafrost::formats
