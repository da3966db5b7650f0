// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/output_scale.h"

#include <cmath>

namespace permafrost::profile {

std::vector<double> output_scales(const Profile& profile) {
    const bool norm_follows = profile.info.architecture == "gemma2" || profile.info.architecture == "gemma3";
    std::vector<double> scales(profile.layers.size(), 0.0);
    double stream = 0;
    for (std::size_t layer = 0; layer < scales.size(); ++layer) {
        if (!profile.layers[layer]) continue;
        const double own = profile.layers[layer]->common_output();
        stream += own * own;
        scales[layer] = norm_follows ? own : std::sqrt(stream);
    }
    return scales;
}

} // namespace permafrost::profile
