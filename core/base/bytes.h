// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace permafrost {

static_assert(std::endian::native == std::endian::little, "files are little-endian and are read in place");

using ByteSpan = std::span<const std::byte>;

inline ByteSpan bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }
template <class T>
ByteSpan bytes_of(std::span<const T> values) {
    return std::as_bytes(values);
}
inline std::string_view text_of(ByteSpan bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Reads little-endian values one after another and never past the end: each read says whether there was enough.
class ByteReader {
  public:
    explicit ByteReader(ByteSpan bytes) : bytes_(bytes) {}

    std::size_t position() const { return position_; }
    std::size_t remaining() const { return bytes_.size() - position_; }

    template <class T>
    requires std::is_trivially_copyable_v<T> std::optional<T> read() {
        if (remaining() < sizeof(T)) return std::nullopt;
        T value;
        std::memcpy(&value, bytes_.data() + position_, sizeof(T));
        position_ += sizeof(T);
        return value;
    }

    std::optional<ByteSpan> read_bytes(std::uint64_t count) {
        if (count > remaining()) return std::nullopt;
        auto part = bytes_.subspan(position_, static_cast<std::size_t>(count));
        position_ += part.size();
        return part;
    }

  private:
    ByteSpan bytes_;
    std::size_t position_ = 0;
};

/// The smallest multiple of `alignment` (a power of two) that is not below `value`.
constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) & ~(alignment - 1);
}

} // namespace permafrost
