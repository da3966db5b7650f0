// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/strict_json.h"

#include "core/formats/tensor_table.h"

#include <functional>
#include <unordered_set>
#include <vector>

namespace permafrost::formats {
namespace {

using nlohmann::json;

constexpr std::size_t deepest = 64;

/// Goes over a text without keeping values, and stops at nesting that is too deep and at a key that is there twice.
class KeyCheck : public nlohmann::json_sax<json> {
  public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override {
        keys_.emplace_back();
        return enter();
    }
    bool end_object() override {
        keys_.pop_back();
        --depth_;
        return true;
    }
    bool start_array(std::size_t) override { return enter(); }
    bool end_array() override {
        --depth_;
        return true;
    }
    bool key(string_t& key) override {
        // Hashes first: most objects are small, and copies of a vocabulary's keys would cost more than the parsing.
        if (keys_.back().insert(std::hash<string_t>{}(key)).second) return true;
        repeated_ = key;
        return false;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

    bool too_deep() const { return too_deep_; }
    const std::string& repeated() const { return repeated_; }

  private:
    bool enter() {
        too_deep_ = ++depth_ > deepest;
        return !too_deep_;
    }

    std::vector<std::unordered_set<std::size_t>> keys_; ///< of the objects that are open
    std::size_t depth_ = 0;
    bool too_deep_ = false;
    std::string repeated_;
};

} // namespace

Result<json> parse_strictly(std::string_view text, const std::string& where) {
    KeyCheck check;
    if (!json::sax_parse(text, &check)) {
        if (check.too_deep()) return Error{where + ": its JSON is nested too deeply; it is damaged"};
        if (!check.repeated().empty())
            return Error{where + ": " + in_quotes(check.repeated()) + " appears twice; it is damaged"};
        return Error{where + ": it is not JSON, or truncated; download it again"};
    }
    return json::parse(text, nullptr, false);
}

} // namespace permafrost::formats
