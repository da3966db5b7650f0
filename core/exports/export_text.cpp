// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/export_text.h"

#include "core/base/number_text.h"
#include "core/exports/exports.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <sys/stat.h>

namespace permafrost::exports {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string date_text(const timespec& time) {
    std::tm utc{};
    if (gmtime_r(&time.tv_sec, &utc) == nullptr) return {};
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%06ldZ", utc.tm_year + 1900,
                  utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, time.tv_nsec / 1000);
    return text.data();
}

} // namespace

std::string percent_text(double share) { return fixed_text(100 * share, 1); }

std::string speedup_text(double speedup) { return fixed_text(speedup, 2) + "x"; }

std::string plain_text(const std::string& text) {
    std::string plain = text;
    std::replace_if(
        plain.begin(), plain.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; },
        ' ');
    return plain;
}

std::string modification_date(const std::filesystem::path& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? date_text(status.st_mtim) : std::string();
}

std::string present_date() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return date_text(now);
}

std::string rust_function_name(const std::string& model_name) {
    std::string name;
    for (const char c : model_name) {
        if (is_letter(c) || is_digit(c))
            name += lower_case(c);
        else if (c == '.' && !name.empty())
            name += '_';
        else if (!name.empty())
            break;
    }
    while (!name.empty() && name.back() == '_') name.pop_back();
    if (name.empty() || is_digit(name.front())) name.insert(0, name.empty() ? "model" : "model_");
    return name + "_saturation_maps";
}

std::string file_stem(const std::string& model_name) {
    constexpr std::size_t longest = 120;
    std::string stem;
    for (const char c : model_name) {
        if (stem.size() == longest) break;
        const bool kept = is_letter(c) || is_digit(c) || c == '_' || (c == '.' && !stem.empty());
        if (kept)
            stem += c;
        else if (!stem.empty() && stem.back() != '-')
            stem += '-';
    }
    while (!stem.empty() && (stem.back() == '-' || stem.back() == '.')) stem.pop_back();
    return stem.empty() ? "model" : stem;
}

} // namespace permafrost::exports
