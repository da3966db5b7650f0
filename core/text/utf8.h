// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace permafrost::text {

/// Bytes of the well-formed UTF-8 character that begins at `at`; 0 where none does (a stray or truncated
/// byte, an overlong form, a surrogate, beyond U+10FFFF).
std::size_t character_length(std::string_view text, std::size_t at);

/// Offset of the first byte that is not part of a well-formed character; text.size() when all are.
std::size_t first_invalid_utf8(std::string_view text);

/// Bytes of the white space (Unicode's White_Space) at the beginning and at the end of a text.
std::size_t leading_white_space(std::string_view text);
std::size_t trailing_white_space(std::string_view text);

/// The text in Unicode's form NFC; bytes that are part of no well-formed character stay as they are.
std::string composed(std::string_view text);

/// The same number of bytes, each byte that is part of no well-formed character replaced by `substitute`
/// (ASCII).
std::string replace_invalid_utf8(std::string_view text, char substitute);

} // namespace permafrost::text
