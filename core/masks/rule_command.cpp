// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/rule_command.h"

#include "core/base/number_text.h"

namespace permafrost::masks {
namespace {

std::string quoted(const std::string& word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:=+,%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string result = "'";
    for (const char character : word) result += character == '\'' ? "'\\''" : std::string(1, character);
    return result + "'";
}

} // namespace

std::vector<std::string> rule_arguments(const FreezeRule& rule) {
    const FreezeRule usual;
    std::vector<std::string> words{"--rule", rule_name(rule)};
    const auto add_number = [&](const char* option, double FreezeRule::*number) {
        if (rule.*number == usual.*number) return;
        words.emplace_back(option);
        words.push_back(shortest_text(rule.*number));
    };
    add_number("--var", &FreezeRule::variance_threshold);
    add_number("--grad", &FreezeRule::gradient_threshold);
    add_number("--activation", &FreezeRule::activation_threshold);
    add_number("--inactive", &FreezeRule::inactive_share);
    add_number("--guard-ratio", &FreezeRule::guard_ratio);
    if (!rule.guard) words.emplace_back("--no-guard");
    if (rule.layers) {
        words.emplace_back("--layers");
        words.push_back(std::to_string(rule.layers->first) + "-" + std::to_string(rule.layers->second));
    }
    for (const auto& [layer, own] : rule.layer_rules) {
        words.emplace_back("--layer-rule");
        words.push_back(layer_rule_text(layer, own));
    }
    return words;
}

std::string shell_line(const std::vector<std::string>& words) {
    std::string line;
    for (const auto& word : words) line += (line.empty() ? "" : " ") + quoted(word);
    return line;
}

} // namespace permafrost::masks
