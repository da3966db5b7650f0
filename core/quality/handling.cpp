// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/handling.h"

#include "core/masks/freeze_rule.h"

#include <algorithm>
#include <array>
#include <utility>

namespace permafrost::quality {
namespace {

constexpr std::array names{std::pair{Handling::Zero, std::string_view("zero")},
                           std::pair{Handling::Mean, std::string_view("mean")},
                           std::pair{Handling::Better, std::string_view("better")}};

std::string_view name_of(Handling handling) { return names[static_cast<std::size_t>(handling)].second; }

Result<Handling> parse_one(std::string_view text) {
    for (const auto& [handling, name] : names)
        if (text == name) return handling;
    return Error{"\"" + std::string(text) + "\" is no handling of frozen neurons: zero, mean or better"};
}

} // namespace

Handling FrozenHandling::of(std::uint32_t layer) const {
    const auto own = layers.find(layer);
    return own == layers.end() ? all : own->second;
}

bool FrozenHandling::needs_means() const {
    return all != Handling::Zero || std::any_of(layers.begin(), layers.end(),
                                                [](const auto& own) { return own.second != Handling::Zero; });
}

Result<FrozenHandling> parse_handling(std::string_view text) {
    FrozenHandling handling;
    auto comma = text.find(',');
    PERMAFROST_TRY(handling.all, parse_one(text.substr(0, comma)));
    while (comma != std::string_view::npos) {
        text.remove_prefix(comma + 1);
        comma = text.find(',');
        const auto part = text.substr(0, comma);
        const auto colon = part.find(':');
        if (colon == std::string_view::npos)
            return Error{"\"" + std::string(part) + "\" names no layers; write for example mean,0-3:zero"};
        PERMAFROST_TRY(const auto layers, masks::parse_layers(part.substr(0, colon)));
        PERMAFROST_TRY(const auto own, parse_one(part.substr(colon + 1)));
        for (auto layer = layers.first; layer <= layers.second; ++layer)
            if (!handling.layers.emplace(layer, own).second)
                return Error{"layer " + std::to_string(layer) + " is named twice in the handling"};
    }
    return handling;
}

std::string handling_text(const FrozenHandling& handling) {
    std::string text(name_of(handling.all));
    for (auto own = handling.layers.begin(); own != handling.layers.end();) {
        const auto [first, kind] = *own;
        auto last = first;
        for (++own; own != handling.layers.end() && own->first == last + 1 && own->second == kind; ++own)
            last = own->first;
        text += "," + std::to_string(first);
        if (last != first) text += "-" + std::to_string(last);
        text += ":" + std::string(name_of(kind));
    }
    return text;
}

bool mean_is_better(double mean, double variance, double count) {
    return count > 0 && mean * mean > 2 * variance / count;
}

} // namespace permafrost::quality
