// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stability as the text "stability" of a profile's metadata: JSON with the keys rule, jaccard, share, waves, neurons,
// tokens_at_hand and curve, a list of [tokens, frozen_a, frozen_b, frozen_both, layer_difference].
#pragma once

#include "core/profile/stability.h"

#include <optional>
#include <string>

namespace permafrost::profile {

std::string stability_text(const Stability& stability);

/// Empty for what is none: numbers missing or out of range, a curve whose tokens do not ascend.
std::optional<Stability> parse_stability(const std::string& text);

} // namespace permafrost::profile
