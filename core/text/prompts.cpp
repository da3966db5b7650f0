// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/base/embedded_files.h"
#include "core/text/corpus.h"

#include <nlohmann/json.hpp>

namespace permafrost::text {
namespace {

constexpr std::string_view example = R"({"prompt": "Once upon a time", "domain": "narrative"})";

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\v\f") == line.npos; }

/// Lines without their ends (\n or \r\n), counted from 1.
class Lines {
  public:
    explicit Lines(std::string_view content) : rest_(content) {}

    bool next() {
        if (rest_.empty()) return false;
        const auto end = std::min(rest_.find('\n'), rest_.size());
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        if (line_.ends_with('\r')) line_.remove_suffix(1);
        ++number_;
        return true;
    }
    std::string_view line() const { return line_; }
    std::size_t number() const { return number_; }

  private:
    std::string_view rest_;
    std::string_view line_;
    std::size_t number_ = 0;
};

Error bad_line(const std::string& where, std::size_t number, const std::string& what) {
    return Error{where + ", line " + std::to_string(number) + ": " + what + "; each line must be like " +
                 std::string(example)};
}

Result<Prompt> parse_json_line(std::string_view line, const std::string& where, std::size_t number,
                               const std::string& domain) try {
    const auto object = nlohmann::json::parse(line);
    if (!object.is_object()) return bad_line(where, number, "not a JSON object");
    const auto prompt = object.find("prompt");
    if (prompt == object.end()) return bad_line(where, number, "there is no \"prompt\"");
    if (!prompt->is_string()) return bad_line(where, number, "\"prompt\" is not a text");
    const auto own_domain = object.find("domain");
    if (own_domain == object.end() || own_domain->is_null())
        return Prompt{prompt->get<std::string>(), domain};
    if (!own_domain->is_string()) return bad_line(where, number, "\"domain\" is not a text");
    return Prompt{prompt->get<std::string>(), own_domain->get<std::string>()};
} catch (const nlohmann::json::parse_error& error) {
    return bad_line(where, number, "not valid JSON at column " + std::to_string(error.byte));
} catch (const nlohmann::json::exception&) {
    return bad_line(where, number, "not valid JSON");
}

bool holds_json_lines(std::string_view content) {
    const auto first = content.find_first_not_of(" \t\r\n\v\f");
    return first != content.npos && content[first] == '{';
}

} // namespace

Result<std::vector<Prompt>> parse_prompts(std::string_view content, const std::string& where,
                                          const std::string& domain) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (content.starts_with(byte_order_mark)) content.remove_prefix(byte_order_mark.size());
    if (content.find('\0') != content.npos)
        return Error{
            where +
            " is a binary file or UTF-16 (it holds NUL bytes); give a UTF-8 text with one prompt a line"};
    const bool json = holds_json_lines(content);
    std::vector<Prompt> prompts;
    for (Lines lines(content); lines.next();) {
        if (is_blank(lines.line())) continue;
        if (!json) {
            prompts.push_back({std::string(lines.line()), domain});
            continue;
        }
        PERMAFROST_TRY(auto prompt, parse_json_line(lines.line(), where, lines.number(), domain));
        if (prompt.text.empty()) return bad_line(where, lines.number(), "\"prompt\" is empty");
        prompts.push_back(std::move(prompt));
    }
    if (prompts.empty())
        return Error{where + " holds no prompts; give one prompt a line, or JSON lines like " +
                     std::string(example)};
    return prompts;
}

Result<std::vector<Prompt>> read_prompts(const std::filesystem::path& path, const std::string& domain) {
    PERMAFROST_TRY(const auto content, read_text_file(path));
    return parse_prompts(content, path.string(), domain);
}

std::vector<Prompt> builtin_prompts() {
    auto prompts = parse_prompts(embedded::prompts(), "the built-in prompt set");
    return prompts.ok() ? std::move(prompts).value() : std::vector<Prompt>{};
}

} // namespace permafrost::text
