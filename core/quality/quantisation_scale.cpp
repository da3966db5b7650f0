// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/quantisation_scale.h"

#include <algorithm>
#include <array>

namespace permafrost::quality {
namespace {

constexpr std::array steps{QuantisationStep{"f16", 0.00055},     QuantisationStep{"q8_0", 0.001355},
                           QuantisationStep{"q6_K", 0.005452},   QuantisationStep{"q5_K_M", 0.010762},
                           QuantisationStep{"q4_K_M", 0.031273}, QuantisationStep{"q3_K_M", 0.101913},
                           QuantisationStep{"q2_K", 0.445132}};

} // namespace

std::span<const QuantisationStep> quantisation_steps() { return steps; }

std::string compared_with_quantisation(double kl_mean) {
    if (kl_mean <= 0) return "nothing";
    const auto above = std::find_if(steps.begin(), steps.end(),
                                    [&](const QuantisationStep& step) { return kl_mean <= step.kl_mean; });
    if (above == steps.begin()) return "less than rounding to f16";
    if (above == steps.end()) return "more than " + std::string(steps.back().type);
    return "between " + std::string((above - 1)->type) + " and " + std::string(above->type);
}

} // namespace permafrost::quality
