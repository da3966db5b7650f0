// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/strict_json.h"

#include "core/formats/json_value.h"
#include "core/formats/tensor_table.h"

#include <unordered_set>
#include <vector>

namespace permafrost::formats {

Result<nlohmann::json> parse_strictly(std::string_view text, const std::string& where) {
    using nlohmann::json;
    if (!nested_at_most(text, 64)) return Error{where + ": its JSON is nested too deeply; it is damaged"};
    std::vector<std::unordered_set<std::string>> keys; // of the objects that are open
    std::string twice;
    const auto check = [&](int, json::parse_event_t event, json& value) {
        if (event == json::parse_event_t::object_start) {
            keys.emplace_back();
        } else if (event == json::parse_event_t::object_end) {
            keys.pop_back();
        } else if (event == json::parse_event_t::key) {
            const auto& key = value.get_ref<const std::string&>();
            if (!keys.back().insert(key).second && twice.empty()) twice = key;
        }
        return true;
    };
    auto parsed = json::parse(text, check, false);
    if (parsed.is_discarded()) return Error{where + ": it is not JSON, or truncated; download it again"};
    if (!twice.empty()) return Error{where + ": " + in_quotes(twice) + " appears twice; it is damaged"};
    return parsed;
}

} // namespace permafrost::formats
