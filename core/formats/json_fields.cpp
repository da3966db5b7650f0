// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json_fields.h"

#include <cmath>
#include <limits>

namespace permafrost::formats {
namespace {

constexpr std::uint64_t largest_count = std::uint64_t{1} << 30;

bool positive(const nlohmann::json& value) {
    return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() > 0;
}

} // namespace

const nlohmann::json& JsonFields::at(const char* key) const {
    static const nlohmann::json absent;
    if (!object_.is_object()) return absent;
    const auto found = object_.find(key);
    return found == object_.end() ? absent : *found;
}

std::string text_in(const nlohmann::json& object, const char* key) {
    const auto value = object.is_object() ? object.value(key, nlohmann::json()) : nlohmann::json();
    return value.is_string() ? value.get<std::string>() : std::string();
}

double number_in(const nlohmann::json& object, const char* key) {
    const auto value = object.is_object() ? object.value(key, nlohmann::json()) : nlohmann::json();
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

bool JsonFields::has(const char* key) const { return !at(key).is_null(); }

std::uint32_t JsonFields::count(const char* key, std::optional<std::uint32_t> otherwise,
                                std::uint32_t least) {
    const auto& value = at(key);
    if (value.is_null() && otherwise) return *otherwise;
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least ||
        value.get<std::uint64_t>() > largest_count) {
        fail("the key " + std::string(key) + " is missing or not a whole number from " +
             std::to_string(least) + " to 2^30");
        return std::max(1u, least);
    }
    return static_cast<std::uint32_t>(value.get<std::uint64_t>());
}

double JsonFields::number(const char* key, std::optional<double> otherwise) {
    const auto& value = at(key);
    if (value.is_null() && otherwise) return *otherwise;
    if (positive(value)) return value.get<double>();
    fail("the key " + std::string(key) + " is missing or not a positive number");
    return 1.0;
}

std::vector<float> JsonFields::numbers(const char* key) {
    const auto& list = at(key);
    std::vector<float> values;
    if (list.is_array())
        for (const auto& value : list)
            if (positive(value)) values.push_back(value.get<float>());
    if (values.empty() || values.size() != list.size())
        fail("the key " + std::string(key) + " is not a list of positive numbers");
    return values;
}

bool JsonFields::flag(const char* key, bool otherwise) {
    const auto& value = at(key);
    if (value.is_null()) return otherwise;
    if (!value.is_boolean()) fail("the key " + std::string(key) + " is neither true nor false");
    return value.is_boolean() && value.get<bool>();
}

std::string JsonFields::string(const char* key) {
    const auto& value = at(key);
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_null()) fail("the key " + std::string(key) + " is not a text");
    return {};
}

} // namespace permafrost::formats
