// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/decision.h"

namespace permafrost::verdict {
namespace {

constexpr std::uint32_t seeds_model = 24; // from this many layers on the seeds' own borders apply
constexpr std::uint32_t seeds_mid = 8;
constexpr std::uint32_t seeds_late = 16;

Band band(std::uint32_t begin, std::uint32_t end) {
    Band result;
    result.empty = begin >= end;
    if (result.empty) return result;
    result.first = begin;
    result.last = end - 1;
    return result;
}

} // namespace

std::array<Band, 3> cut_bands(std::uint32_t layers) {
    const bool as_seeds = layers >= seeds_model;
    const std::uint32_t mid = as_seeds ? seeds_mid : (layers + 3) / 4;
    const std::uint32_t late = as_seeds ? seeds_late : (layers + 1) / 2;
    return {band(0, mid), band(mid, late), band(late, layers)};
}

std::string_view identifier(Trend trend) {
    switch (trend) {
    case Trend::Increases:
        return "increases_with_depth";
    case Trend::Decreases:
        return "decreases_with_depth";
    case Trend::Uniform:
        break;
    }
    return "uniform_across_depth";
}

Trend trend_of(double early_share, double late_share) {
    constexpr double one_point = 0.01 + 1e-12; // 0.05 - 0.04 is one point, whatever its last bit says
    if (late_share - early_share > one_point) return Trend::Increases;
    if (early_share - late_share > one_point) return Trend::Decreases;
    return Trend::Uniform;
}

} // namespace permafrost::verdict
