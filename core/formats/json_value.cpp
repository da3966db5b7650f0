// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json_value.h"

#include "core/base/base64.h"

#include <cmath>
#include <limits>

namespace permafrost::formats {
namespace {

using nlohmann::json;

constexpr std::string_view array_prefix = "array:";

json json_from_number(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    return number;
}

std::optional<ValueType> scalar_type(std::string_view name) {
    for (std::uint32_t number = 0; number <= static_cast<std::uint32_t>(ValueType::F64); ++number) {
        const auto type = static_cast<ValueType>(number);
        if (type != ValueType::Array && name_of(type) == name) return type;
    }
    return std::nullopt;
}

struct IntegerRange {
    std::int64_t lowest;
    std::uint64_t highest;
};

IntegerRange range_of(ValueType type) {
    switch (type) {
    case ValueType::U8:
        return {0, 0xff};
    case ValueType::U16:
        return {0, 0xffff};
    case ValueType::U32:
        return {0, 0xffffffff};
    case ValueType::U64:
        return {0, ~std::uint64_t{0}};
    case ValueType::I8:
        return {-0x80, 0x7f};
    case ValueType::I16:
        return {-0x8000, 0x7fff};
    case ValueType::I32:
        return {-0x80000000LL, 0x7fffffff};
    default:
        return {std::numeric_limits<std::int64_t>::min(), 0x7fffffffffffffff};
    }
}

bool is_unsigned(ValueType type) {
    return type == ValueType::U8 || type == ValueType::U16 || type == ValueType::U32 ||
           type == ValueType::U64;
}
bool is_float(ValueType type) { return type == ValueType::F32 || type == ValueType::F64; }

bool in_range(const json& number, ValueType type) {
    if (!number.is_number_integer()) return false;
    const auto range = range_of(type);
    if (number.is_number_unsigned()) return number.get<std::uint64_t>() <= range.highest;
    return number.get<std::int64_t>() >= range.lowest && number.get<std::int64_t>() < 0;
}

std::optional<double> float_from_json(const json& value) {
    if (value.is_number()) return value.get<double>();
    const auto* text = value.get_ptr<const std::string*>();
    if (!text) return std::nullopt;
    if (*text == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (*text == "inf") return std::numeric_limits<double>::infinity();
    if (*text == "-inf") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

Error wrong_value(ValueType type) {
    return Error{"does not hold a value of type " + std::string(name_of(type))};
}

Result<Value> scalar_from_json(ValueType type, const json& value) {
    if (type == ValueType::String) {
        PERMAFROST_TRY(auto text, string_from_json(value));
        return make_value(std::move(text));
    }
    if (type == ValueType::Bool) {
        if (!value.is_boolean()) return wrong_value(type);
        return make_value(value.get<bool>());
    }
    if (is_float(type)) {
        const auto number = float_from_json(value);
        if (!number) return wrong_value(type);
        return Value{type, *number};
    }
    if (!in_range(value, type)) return wrong_value(type);
    if (is_unsigned(type)) return Value{type, value.get<std::uint64_t>()};
    return Value{type, value.get<std::int64_t>()};
}

template <class Wide, class Convert>
Result<Value> array_of(ValueType element, const json& list, Convert convert) {
    std::vector<Wide> values;
    values.reserve(list.size());
    for (const auto& item : list) {
        PERMAFROST_TRY(auto scalar, scalar_from_json(element, item));
        values.push_back(convert(scalar));
    }
    return Value{ValueType::Array, ValueArray{element, std::move(values)}};
}

Result<Value> array_from_json(ValueType element, const json& list) {
    if (!list.is_array()) return Error{"does not hold an array"};
    if (element == ValueType::Bool)
        return array_of<std::uint64_t>(
            element, list, [](Value& value) { return std::uint64_t{std::get<bool>(value.data)}; });
    if (element == ValueType::String)
        return array_of<std::string>(
            element, list, [](Value& value) { return std::move(std::get<std::string>(value.data)); });
    if (is_float(element))
        return array_of<double>(element, list, [](Value& value) { return std::get<double>(value.data); });
    if (is_unsigned(element))
        return array_of<std::uint64_t>(element, list,
                                       [](Value& value) { return std::get<std::uint64_t>(value.data); });
    return array_of<std::int64_t>(element, list,
                                  [](Value& value) { return std::get<std::int64_t>(value.data); });
}

json json_from_element(ValueType type, std::uint64_t number) {
    return type == ValueType::Bool ? json(number != 0) : json(number);
}
json json_from_element(ValueType, std::int64_t number) { return number; }
json json_from_element(ValueType, double number) { return json_from_number(number); }
json json_from_element(ValueType, bool truth) { return truth; }
json json_from_element(ValueType, const std::string& text) { return json_from_string(text); }
json json_from_element(ValueType, const ValueArray& array) {
    auto list = json::array();
    std::visit(
        [&](const auto& items) {
            for (const auto& item : items) list.push_back(json_from_element(array.element, item));
        },
        array.values);
    return list;
}

} // namespace

bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto at = [&](std::size_t place) { return static_cast<unsigned char>(text[place]); };
        const unsigned lead = at(i);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        if (length == 0 || lead > 0xf4 || i + length > text.size()) return false;
        for (std::size_t k = 1; k < length; ++k)
            if ((at(i + k) & 0xc0) != 0x80) return false;
        const unsigned second = length > 1 ? at(i + 1) : 0;
        const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
        const bool surrogate = lead == 0xed && second >= 0xa0;
        const bool beyond_unicode = lead == 0xf4 && second >= 0x90;
        if (overlong || surrogate || beyond_unicode) return false;
        i += length;
    }
    return true;
}

json json_from_string(const std::string& text) {
    if (is_utf8(text)) return text;
    return json{{"base64", to_base64(bytes_of(text))}};
}

Result<std::string> string_from_json(const json& value) {
    if (const auto* text = value.get_ptr<const std::string*>()) return *text;
    if (value.is_object() && value.size() == 1 && value.contains("base64") && value["base64"].is_string())
        if (auto bytes = from_base64(value["base64"].get_ref<const std::string&>())) return *std::move(bytes);
    return wrong_value(ValueType::String);
}

std::string json_type(const Value& value) {
    const auto* array = std::get_if<ValueArray>(&value.data);
    return array ? std::string(array_prefix) + std::string(name_of(array->element))
                 : std::string(name_of(value.type));
}

json json_from_value(const Value& value) {
    return std::visit([&](const auto& content) { return json_from_element(value.type, content); },
                      value.data);
}

Result<Value> value_from_json(const std::string& type, const json& value) {
    const bool is_array = type.starts_with(array_prefix);
    const auto element = scalar_type(is_array ? std::string_view(type).substr(array_prefix.size()) : type);
    if (!element) return Error{"has the unknown type '" + type + "'"};
    return is_array ? array_from_json(*element, value) : scalar_from_json(*element, value);
}

bool nested_at_most(std::string_view json_text, std::size_t depth) {
    std::size_t open = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < json_text.size(); ++i) {
        const char c = json_text[i];
        if (in_string) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++open > depth) return false;
        } else if ((c == ']' || c == '}') && open > 0) {
            --open;
        }
    }
    return true;
}

} // namespace permafrost::formats
