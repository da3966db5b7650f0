// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>

namespace permafrost::profile {

/// A complete profile of random statistics that no model produced: for measuring speed and for tests. The
/// numbers agree with one another (counts rise with the edges, moments fit the extremes), the share of
/// neurons that the default rule freezes grows from about 2 % in the first layer to about 30 % in the last.
/// Equal arguments give equal profiles.
ProfilePtr sample_profile(std::uint32_t layers, std::uint32_t neurons, std::uint64_t seed);

} // namespace permafrost::profile
