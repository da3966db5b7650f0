// SPDX-License-Identifier: GPL-3.0-or-later
//
// GPT-2's byte-level alphabet: each of the 256 bytes is written as one printable character, so that any bytes
// can be held as text. Printable Latin-1 characters stand for themselves; the other 68 bytes, in order, are
// U+0100 … U+0143, which is why a space shows as "Ġ" and a newline as "Ċ".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace permafrost::text {

/// The character that stands for `byte`, as UTF-8.
const std::string& byte_character(std::uint8_t byte);

/// `bytes` written in the alphabet.
std::string to_byte_alphabet(std::string_view bytes);

/// The bytes that `text` stands for; nothing when it holds a character outside the alphabet.
std::optional<std::string> from_byte_alphabet(std::string_view text);

} // namespace permafrost::text
