// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/byte_alphabet.h"

#include <array>

namespace permafrost::text {
namespace {

constexpr unsigned first_moved = 0x100;
constexpr unsigned alphabet_end = first_moved + 68;

bool stands_for_itself(unsigned byte) {
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

std::string encode_character(unsigned code) {
    if (code < 0x80) return {static_cast<char>(code)};
    return {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
}

struct Alphabet {
    std::array<std::string, 256> characters;
    std::array<int, alphabet_end> bytes; ///< by character, -1 outside the alphabet

    Alphabet() {
        bytes.fill(-1);
        unsigned next_moved = first_moved;
        for (unsigned byte = 0; byte < 256; ++byte) {
            const unsigned code = stands_for_itself(byte) ? byte : next_moved++;
            characters[byte] = encode_character(code);
            bytes[code] = static_cast<int>(byte);
        }
    }
};

const Alphabet& alphabet() {
    static const Alphabet instance;
    return instance;
}

} // namespace

const std::string& byte_character(std::uint8_t byte) { return alphabet().characters[byte]; }

std::string to_byte_alphabet(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) text += byte_character(static_cast<std::uint8_t>(byte));
    return text;
}

std::optional<std::string> from_byte_alphabet(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        unsigned code = static_cast<std::uint8_t>(text[at++]);
        if (code >= 0x80) {
            // Every character of the alphabet has at most two bytes.
            if (code < 0xC2 || code >= 0xE0 || at == text.size()) return std::nullopt;
            const unsigned second = static_cast<std::uint8_t>(text[at++]);
            if ((second & 0xC0) != 0x80) return std::nullopt;
            code = ((code & 0x1F) << 6) | (second & 0x3F);
        }
        if (code >= alphabet_end || alphabet().bytes[code] < 0) return std::nullopt;
        result += static_cast<char>(alphabet().bytes[code]);
    }
    return result;
}

} // namespace permafrost::text
