// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile.h"

#include <algorithm>
#include <numeric>

namespace permafrost::profile {

bool ProfileInfo::complete() const {
    return tiles > 0 && tiles_done.size() == tiles &&
           std::all_of(tiles_done.begin(), tiles_done.end(), [](bool done) { return done; });
}

std::uint64_t Profile::neurons() const {
    return std::accumulate(info.intermediate.begin(), info.intermediate.end(), std::uint64_t{0});
}

bool Profile::complete() const {
    return info.complete() && layers.size() == info.layers &&
           std::all_of(layers.begin(), layers.end(),
                       [](const LayerProfilePtr& layer) { return layer != nullptr; });
}

} // namespace permafrost::profile
