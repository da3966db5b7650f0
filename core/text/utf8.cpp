// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/utf8.h"

#include <cstdint>
#include <cstring>

namespace permafrost::text {
namespace {

std::uint8_t byte_at(std::string_view text, std::size_t at) { return static_cast<std::uint8_t>(text[at]); }

bool continues(std::string_view text, std::size_t at) { return (byte_at(text, at) & 0xC0) == 0x80; }

// The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF (Unicode, table
// 3-7).
bool second_byte_fits(std::uint8_t first, std::uint8_t second) {
    switch (first) {
    case 0xE0:
        return second >= 0xA0 && second <= 0xBF;
    case 0xED:
        return second >= 0x80 && second <= 0x9F;
    case 0xF0:
        return second >= 0x90 && second <= 0xBF;
    case 0xF4:
        return second >= 0x80 && second <= 0x8F;
    default:
        return second >= 0x80 && second <= 0xBF;
    }
}

std::size_t length_from_first(std::uint8_t first) {
    if (first < 0x80) return 1;
    if (first < 0xC2) return 0;
    if (first < 0xE0) return 2;
    if (first < 0xF0) return 3;
    return first < 0xF5 ? 4 : 0;
}

bool eight_ascii(const char* text) {
    std::uint64_t word;
    std::memcpy(&word, text, sizeof word);
    return (word & 0x8080808080808080u) == 0;
}

} // namespace

std::size_t character_length(std::string_view text, std::size_t at) {
    const auto first = byte_at(text, at);
    const auto length = length_from_first(first);
    if (length <= 1) return length;
    if (text.size() - at < length || !second_byte_fits(first, byte_at(text, at + 1))) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if (!continues(text, at + i)) return 0;
    return length;
}

std::size_t first_invalid_utf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        if (text.size() - at >= 8 && eight_ascii(text.data() + at)) {
            at += 8;
            continue;
        }
        const auto length = character_length(text, at);
        if (length == 0) break;
        at += length;
    }
    return at;
}

std::string replace_invalid_utf8(std::string_view text, char substitute) {
    std::string result(text);
    std::size_t at = first_invalid_utf8(text);
    while (at < text.size()) {
        const auto length = character_length(text, at);
        if (length == 0) result[at] = substitute;
        at += length == 0 ? 1 : length;
    }
    return result;
}

} // namespace permafrost::text
