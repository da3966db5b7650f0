// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace permafrost::formats {

/// The field's text, or an empty one when it is absent or no text, or `object` is no object.
std::string text_in(const nlohmann::json& object, const char* key);
/// The field's number; one that is absent or null (JSON's only way to write what is not finite) is not a number.
double number_in(const nlohmann::json& object, const char* key);

/// Reads the fields of one JSON object and keeps the first thing that is wrong. A null counts as absent.
class JsonFields {
  public:
    explicit JsonFields(const nlohmann::json& object) : object_(object) {}

    /// Whether it is there and not null.
    bool has(const char* key) const;
    /// Whether it is there, null or not.
    bool contains(const char* key) const { return object_.is_object() && object_.contains(key); }
    /// The field, or null.
    const nlohmann::json& at(const char* key) const;

    /// A whole number from 1 (or 0) to 2^30; without `otherwise` the field must be there.
    std::uint32_t count(const char* key, std::optional<std::uint32_t> otherwise = {},
                        std::uint32_t least = 1);
    /// A positive number; without `otherwise` the field must be there.
    double number(const char* key, std::optional<double> otherwise = {});
    /// A list of positive numbers.
    std::vector<float> numbers(const char* key);
    bool flag(const char* key, bool otherwise);
    std::string string(const char* key);

    void fail(std::string what) {
        if (error_.empty()) error_ = std::move(what);
    }
    const std::string& error() const { return error_; }

  private:
    const nlohmann::json& object_;
    std::string error_;
};

} // namespace permafrost::formats
