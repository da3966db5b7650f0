// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace permafrost::formats {

/// The value types of a GGUF key (same numbers as in the file).
enum class ValueType : std::uint32_t {
    U8 = 0,
    I8 = 1,
    U16 = 2,
    I16 = 3,
    U32 = 4,
    I32 = 5,
    F32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    U64 = 10,
    I64 = 11,
    F64 = 12
};

/// An array keeps its element type; integers of every width are held as 64 bits, floats as f64 (both lossless).
struct ValueArray {
    ValueType element = ValueType::U32;
    std::variant<std::vector<std::uint64_t>, std::vector<std::int64_t>, std::vector<double>,
                 std::vector<std::string>>
        values; ///< unsigned and bool, signed, floats, strings
    std::size_t size() const {
        return std::visit([](const auto& list) { return list.size(); }, values);
    }
};

struct Value {
    ValueType type = ValueType::U32;
    std::variant<std::uint64_t, std::int64_t, double, bool, std::string, ValueArray> data;
};

/// Named values in the order of the file.
class Metadata {
  public:
    /// Appends, or replaces the value of a key that is there already.
    void set(std::string key, Value value);
    void remove(std::string_view key);
    const Value* find(std::string_view key) const;
    const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }

    // Typed access; empty when the key is absent or of another kind. Numbers convert between integer widths when the
    // value fits, integers also to double.
    std::optional<std::uint64_t> unsigned_integer(std::string_view key) const;
    std::optional<std::int64_t> signed_integer(std::string_view key) const;
    std::optional<double> number(std::string_view key) const;
    std::optional<bool> boolean(std::string_view key) const;
    const std::string* string(std::string_view key) const;
    const std::vector<std::string>* strings(std::string_view key) const;
    /// Array of numbers as double; a scalar gives one element.
    std::optional<std::vector<double>> numbers(std::string_view key) const;

  private:
    std::vector<std::pair<std::string, Value>> entries_;
    std::unordered_map<std::string, std::size_t> index_;
};

/// Shorthand for building values.
Value make_value(std::uint32_t number);
Value make_value(std::uint64_t number);
Value make_value(float number);
Value make_value(bool truth);
Value make_value(std::string text);
Value make_value(const char* text); // without it a literal would be taken for a truth value
Value make_value(std::vector<std::string> texts);
Value make_value(const std::vector<float>& numbers);
Value make_value(const std::vector<std::int32_t>& numbers);
Value make_value(const std::vector<std::uint32_t>& numbers);
Value make_value(const std::vector<std::uint8_t>& bytes);

/// "u8" … "f64", "bool", "string", "array".
std::string_view name_of(ValueType type);

} // namespace permafrost::formats
