// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace permafrost::formats {

// Numbers of the container described in knot.h.
inline constexpr std::string_view knot_magic = "KNOT";
inline constexpr std::uint16_t knot_major = 1;
inline constexpr std::uint16_t knot_minor = 0;
inline constexpr std::uint64_t knot_alignment = 64;
inline constexpr std::uint64_t knot_header_offset = 16;

} // namespace permafrost::formats
