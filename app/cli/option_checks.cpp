// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/option_checks.h"

#include "app/cli/profile_run.h"
#include "core/base/number_text.h"
#include "core/masks/freeze_rule.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace permafrost::cli {
namespace {

// CLI11 takes a sentence as the failure, an empty one as success.
CLI::Validator check(std::function<std::string(const std::string&)> sentence) {
    return CLI::Validator([sentence = std::move(sentence)](std::string& text) { return sentence(text); }, "");
}

template <class Number>
bool reads_as(const std::string& text, Number& number) {
    const auto* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc{} && read.ptr == end;
}

} // namespace

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    return check([=](const std::string& text) -> std::string {
        std::uint64_t number = 0;
        if (reads_as(text, number) && number >= least && number <= most) return {};
        const auto range = most == UINT64_MAX ? " up" : " to " + std::to_string(most);
        return "wants a whole number from " + std::to_string(least) + range + ", not \"" + text + "\"";
    });
}

CLI::Validator number_up_to(double most) {
    return check([=](const std::string& text) -> std::string {
        double number = 0;
        if (reads_as(text, number) && std::isfinite(number) && number >= 0 && number <= most) return {};
        const auto range = std::isinf(most) ? std::string(" up") : " to " + general_text(most);
        return "wants a number from 0" + range + ", not \"" + text + "\"";
    });
}

CLI::Validator shard() {
    return check([](const std::string& text) { return parse_shard(text).message(); });
}

CLI::Validator domain_file() {
    return check([](const std::string& text) -> std::string {
        const auto equals = text.find('=');
        if (equals != std::string::npos && equals > 0 && equals + 1 < text.size()) return {};
        return "wants NAME=FILE, not \"" + text + "\"";
    });
}

CLI::Validator freeze_rule() {
    return check([](const std::string& text) { return masks::parse_rule(text, {}).message(); });
}

CLI::Validator layer_range() {
    return check([](const std::string& text) { return masks::parse_layers(text).message(); });
}

} // namespace permafrost::cli
