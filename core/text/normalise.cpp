// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/utf8.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <utf8proc.h>

namespace permafrost::text {
namespace {

// White_Space beyond ASCII.
constexpr auto spaces = std::to_array<std::string_view>(
    {"\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
     "\u2007", "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"});

bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void append_composed(std::string_view valid, std::string& result) {
    utf8proc_uint8_t* text = nullptr;
    const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(valid.data()),
                                   static_cast<utf8proc_ssize_t>(valid.size()), &text,
                                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owner(text, std::free);
    if (size < 0)
        result += valid; // only when there is no memory
    else
        result.append(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
}

} // namespace

std::size_t leading_white_space(std::string_view text) {
    std::size_t size = 0;
    while (size < text.size()) {
        const auto rest = text.substr(size);
        std::size_t step = is_ascii_space(rest[0]) ? 1 : 0;
        for (const auto space : spaces)
            if (rest.starts_with(space)) step = space.size();
        if (step == 0) break;
        size += step;
    }
    return size;
}

std::size_t trailing_white_space(std::string_view text) {
    std::size_t size = 0;
    while (size < text.size()) {
        const auto rest = text.substr(0, text.size() - size);
        std::size_t step = is_ascii_space(rest.back()) ? 1 : 0;
        for (const auto space : spaces)
            if (rest.ends_with(space)) step = space.size();
        if (step == 0) break;
        size += step;
    }
    return size;
}

std::string composed(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto valid = first_invalid_utf8(text);
        append_composed(text.substr(0, valid), result);
        text.remove_prefix(valid);
        std::size_t invalid = 0;
        while (invalid < text.size() && character_length(text, invalid) == 0) ++invalid;
        result += text.substr(0, invalid);
        text.remove_prefix(invalid);
    }
    return result;
}

} // namespace permafrost::text
