// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/metadata.h"

#include <algorithm>
#include <limits>

namespace permafrost::formats {

void Metadata::set(std::string key, Value value) {
    if (const auto found = index_.find(key); found != index_.end()) {
        entries_[found->second].second = std::move(value);
        return;
    }
    index_.emplace(key, entries_.size());
    entries_.emplace_back(std::move(key), std::move(value));
}

void Metadata::remove(std::string_view key) {
    const auto found = index_.find(std::string(key));
    if (found == index_.end()) return;
    const auto position = found->second;
    index_.erase(found);
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(position));
    for (auto& [name, place] : index_)
        if (place > position) --place;
}

const Value* Metadata::find(std::string_view key) const {
    const auto found = index_.find(std::string(key));
    return found == index_.end() ? nullptr : &entries_[found->second].second;
}

std::optional<std::uint64_t> Metadata::unsigned_integer(std::string_view key) const {
    const Value* value = find(key);
    if (!value) return std::nullopt;
    if (const auto* number = std::get_if<std::uint64_t>(&value->data)) return *number;
    if (const auto* number = std::get_if<std::int64_t>(&value->data); number && *number >= 0)
        return static_cast<std::uint64_t>(*number);
    return std::nullopt;
}

std::optional<std::int64_t> Metadata::signed_integer(std::string_view key) const {
    const Value* value = find(key);
    if (!value) return std::nullopt;
    if (const auto* number = std::get_if<std::int64_t>(&value->data)) return *number;
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (const auto* number = std::get_if<std::uint64_t>(&value->data); number && *number <= largest)
        return static_cast<std::int64_t>(*number);
    return std::nullopt;
}

std::optional<double> Metadata::number(std::string_view key) const {
    const Value* value = find(key);
    if (!value) return std::nullopt;
    if (const auto* number = std::get_if<double>(&value->data)) return *number;
    if (const auto* number = std::get_if<std::uint64_t>(&value->data)) return static_cast<double>(*number);
    if (const auto* number = std::get_if<std::int64_t>(&value->data)) return static_cast<double>(*number);
    return std::nullopt;
}

std::optional<bool> Metadata::boolean(std::string_view key) const {
    const Value* value = find(key);
    const bool* truth = value ? std::get_if<bool>(&value->data) : nullptr;
    return truth ? std::optional(*truth) : std::nullopt;
}

const std::string* Metadata::string(std::string_view key) const {
    const Value* value = find(key);
    return value ? std::get_if<std::string>(&value->data) : nullptr;
}

const std::vector<std::string>* Metadata::strings(std::string_view key) const {
    const Value* value = find(key);
    const auto* array = value ? std::get_if<ValueArray>(&value->data) : nullptr;
    return array ? std::get_if<std::vector<std::string>>(&array->values) : nullptr;
}

std::optional<std::vector<double>> Metadata::numbers(std::string_view key) const {
    const Value* value = find(key);
    if (!value) return std::nullopt;
    const auto* array = std::get_if<ValueArray>(&value->data);
    if (!array) {
        const auto single = number(key);
        return single ? std::optional(std::vector<double>{*single}) : std::nullopt;
    }
    if (array->element == ValueType::Bool) return std::nullopt;
    return std::visit(
        [](const auto& list) -> std::optional<std::vector<double>> {
            if constexpr (std::is_same_v<std::decay_t<decltype(list)>, std::vector<std::string>>)
                return std::nullopt;
            else {
                std::vector<double> converted(list.size());
                std::transform(list.begin(), list.end(), converted.begin(),
                               [](auto element) { return static_cast<double>(element); });
                return converted;
            }
        },
        array->values);
}

Value make_value(std::uint32_t number) { return {ValueType::U32, std::uint64_t{number}}; }
Value make_value(std::uint64_t number) { return {ValueType::U64, number}; }
Value make_value(float number) { return {ValueType::F32, static_cast<double>(number)}; }
Value make_value(bool truth) { return {ValueType::Bool, truth}; }
Value make_value(std::string text) { return {ValueType::String, std::move(text)}; }
Value make_value(const char* text) { return make_value(std::string(text)); }

namespace {

template <class Wide, class T>
Value array_value(ValueType element, const std::vector<T>& items) {
    return {ValueType::Array, ValueArray{element, std::vector<Wide>(items.begin(), items.end())}};
}

} // namespace

Value make_value(std::vector<std::string> texts) {
    return {ValueType::Array, ValueArray{ValueType::String, std::move(texts)}};
}
Value make_value(const std::vector<float>& numbers) { return array_value<double>(ValueType::F32, numbers); }
Value make_value(const std::vector<std::int32_t>& numbers) {
    return array_value<std::int64_t>(ValueType::I32, numbers);
}
Value make_value(const std::vector<std::uint32_t>& numbers) {
    return array_value<std::uint64_t>(ValueType::U32, numbers);
}
Value make_value(const std::vector<std::uint8_t>& bytes) {
    return array_value<std::uint64_t>(ValueType::U8, bytes);
}

std::string_view name_of(ValueType type) {
    switch (type) {
    case ValueType::U8:
        return "u8";
    case ValueType::I8:
        return "i8";
    case ValueType::U16:
        return "u16";
    case ValueType::I16:
        return "i16";
    case ValueType::U32:
        return "u32";
    case ValueType::I32:
        return "i32";
    case ValueType::F32:
        return "f32";
    case ValueType::Bool:
        return "bool";
    case ValueType::String:
        return "string";
    case ValueType::Array:
        return "array";
    case ValueType::U64:
        return "u64";
    case ValueType::I64:
        return "i64";
    case ValueType::F64:
        return "f64";
    }
    return "unknown";
}

} // namespace permafrost::formats
