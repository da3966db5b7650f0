// SPDX-License-Identifier: GPL-3.0-or-later
//
// Metadata in the header of a .knot: how a typed value is written as JSON and read back without loss.
#pragma once

#include "core/base/result.h"
#include "core/formats/metadata.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace permafrost::formats {

bool is_utf8(std::string_view text);

/// A JSON string, or {"base64": "…"} when the bytes are not UTF-8.
nlohmann::json json_from_string(const std::string& text);
Result<std::string> string_from_json(const nlohmann::json& json);

/// The type as in the header: "u32", "array:string".
std::string json_type(const Value& value);
nlohmann::json json_from_value(const Value& value);
/// Errors (without a place): an unknown type, a value of another type or out of its range.
Result<Value> value_from_json(const std::string& type, const nlohmann::json& json);

/// Whether arrays and objects in a JSON text are nested at most `depth` deep; hostile nesting would exhaust
/// the stack of functions that follow it.
bool nested_at_most(std::string_view json_text, std::size_t depth);

} // namespace permafrost::formats
