// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace permafrost::quality {

/// What becomes of a frozen neuron's h.
enum class Handling : std::uint8_t {
    Zero,
    Mean,  ///< its mean over the profiled text: a constant that a bias of the down projection can carry
    Better ///< of both by neuron: the mean where it is expected to lose less on other text, else zero
};

/// Of a whole model, with layers that differ.
struct FrozenHandling {
    Handling all = Handling::Zero;
    std::map<std::uint32_t, Handling> layers;

    Handling of(std::uint32_t layer) const;
    /// Whether a profile is needed that says what the means are.
    bool needs_means() const;
    bool operator==(const FrozenHandling&) const = default;
};

/// "zero", "mean", "better", and layers that differ: "mean,0-3:zero,29:better". Errors: anything else, a layer named twice.
Result<FrozenHandling> parse_handling(std::string_view text);
/// parse_handling() reads it back exactly.
std::string handling_text(const FrozenHandling& handling);

/// Whether `mean`, taken over `count` tokens with that population variance, is kept by Handling::Better. On other text
/// zero loses var + m^2 for the true mean m, the measured mean loses var + var / count; m^2 is estimated without bias
/// by mean^2 - var / count. Tokens of a text are not independent, so this leans towards keeping.
bool mean_is_better(double mean, double variance, double count);

} // namespace permafrost::quality
