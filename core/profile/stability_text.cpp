// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/stability_text.h"

#include "core/profile/profile_metadata.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace permafrost::profile {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

bool is_share(const json& value) {
    return value.is_number() && value.get<double>() >= 0 && value.get<double>() <= 1;
}

std::optional<StabilityPoint> parse_point(const json& item, const Stability& stability) {
    if (!item.is_array() || item.size() != 5 || !is_share(item[4])) return std::nullopt;
    for (std::size_t i = 0; i < 4; ++i)
        if (!item[i].is_number_unsigned()) return std::nullopt;
    const StabilityPoint point{item[0].get<std::uint64_t>(), item[1].get<std::uint64_t>(),
                               item[2].get<std::uint64_t>(), item[3].get<std::uint64_t>(),
                               item[4].get<double>()};
    const auto after = stability.curve.empty() ? 0 : stability.curve.back().tokens;
    const bool sensible = point.tokens > after && point.tokens <= stability.tokens_at_hand &&
                          std::max(point.frozen_a, point.frozen_b) <= stability.neurons &&
                          point.frozen_both <= std::min(point.frozen_a, point.frozen_b);
    return sensible ? std::optional(point) : std::nullopt;
}

} // namespace

std::string stability_text(const Stability& stability) {
    ordered_json text{{"rule", stability.rule},        {"jaccard", stability.goal.jaccard},
                      {"share", stability.goal.share}, {"waves", stability.goal.waves},
                      {"neurons", stability.neurons},  {"tokens_at_hand", stability.tokens_at_hand},
                      {"curve", ordered_json::array()}};
    for (const auto& point : stability.curve)
        text["curve"].push_back(
            {point.tokens, point.frozen_a, point.frozen_b, point.frozen_both, point.layer_difference});
    return text.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::optional<Stability> parse_stability(const std::string& text) {
    const json parsed = json::parse(text, nullptr, false);
    if (!parsed.is_object()) return std::nullopt;
    const auto value = [&](const char* key) { return parsed.value(key, json()); };
    if (!value("rule").is_string() || !is_share(value("jaccard")) || !is_share(value("share")) ||
        !value("curve").is_array())
        return std::nullopt;
    for (const char* key : {"waves", "neurons", "tokens_at_hand"})
        if (!value(key).is_number_unsigned()) return std::nullopt;
    const auto waves = value("waves").get<std::uint64_t>();
    if (waves == 0 || waves > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    Stability stability;
    stability.rule = value("rule").get<std::string>();
    stability.goal = {value("jaccard").get<double>(), value("share").get<double>(),
                      static_cast<std::uint32_t>(waves)};
    stability.neurons = value("neurons").get<std::uint64_t>();
    stability.tokens_at_hand = value("tokens_at_hand").get<std::uint64_t>();
    if (stability.neurons > most_neurons) return std::nullopt;
    for (const auto& item : value("curve")) {
        const auto point = parse_point(item, stability);
        if (!point) return std::nullopt;
        stability.curve.push_back(*point);
    }
    return stability;
}

} // namespace permafrost::profile
