// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/stability.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

namespace permafrost::profile {
namespace {

template <class... Values>
std::string print(const char* format, Values... values) {
    std::array<char, 320> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

unsigned long long number(std::uint64_t value) { return value; }

} // namespace

double StabilityPoint::jaccard() const {
    const auto either = frozen_a + frozen_b - frozen_both;
    return either == 0 ? 0 : static_cast<double>(frozen_both) / static_cast<double>(either);
}

bool StabilityGoal::met_by(const StabilityPoint& point) const {
    return !point.nothing_frozen() && point.jaccard() >= jaccard && point.layer_difference <= share;
}

bool StabilityGoal::reached_by(std::span<const StabilityPoint> curve) const {
    if (waves == 0 || curve.size() < waves) return false;
    const auto last = curve.last(waves);
    return std::all_of(last.begin(), last.end(), [this](const auto& point) { return met_by(point); });
}

double Stability::share(std::uint64_t frozen) const {
    return neurons == 0 ? 0 : static_cast<double>(frozen) / static_cast<double>(neurons);
}

std::string sentence(const Stability& stability) {
    if (stability.curve.empty()) return "no wave was compared yet";
    const auto& last = stability.curve.back();
    const std::string rule = "rule " + stability.rule;
    if (last.nothing_frozen())
        return print(
            "not stable: %s froze no neuron in either half of %llu tokens, so there was nothing to agree on",
            rule.c_str(), number(last.tokens));
    const auto& goal = stability.goal;
    return print("%s after %llu of %llu tokens: %s froze %llu and %llu neurons in the halves, Jaccard %.4f "
                 "(wanted %g), largest difference of a layer's share %.4f (wanted %g), %u wave%s in a row",
                 stability.reached() ? "stable" : "not stable", number(last.tokens),
                 number(stability.tokens_at_hand), rule.c_str(), number(last.frozen_a), number(last.frozen_b),
                 last.jaccard(), goal.jaccard, last.layer_difference, goal.share, goal.waves,
                 goal.waves == 1 ? "" : "s");
}

// Each half in the order of its indices' bits reversed (van der Corput), whose prefixes are spread evenly.
std::vector<std::uint32_t> spread_order(std::uint32_t count) {
    const auto reversed = [](std::uint32_t size) {
        const int bits = std::max(1, static_cast<int>(std::bit_width(size)));
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < std::uint32_t{1} << bits; ++i) {
            std::uint32_t mirrored = 0;
            for (int bit = 0; bit < bits; ++bit) mirrored |= (i >> bit & 1u) << (bits - 1 - bit);
            if (mirrored < size) order.push_back(mirrored);
        }
        return order;
    };
    const auto even = reversed((count + 1) / 2), odd = reversed(count / 2);
    std::vector<std::uint32_t> order;
    for (std::size_t i = 0; i < even.size(); ++i) {
        order.push_back(2 * even[i]);
        if (i < odd.size()) order.push_back(2 * odd[i] + 1);
    }
    return order;
}

} // namespace permafrost::profile
