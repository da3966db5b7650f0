// SPDX-License-Identifier: GPL-3.0-or-later
//
// What views show. Profile and Decision are immutable and shared, so a view keeps what it was given as long
// as it likes.
#pragma once

#include "core/profile/profile.h"
#include "core/verdict/decision.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

namespace permafrost::widgets {

using profile::ProfilePtr;
using DecisionPtr = std::shared_ptr<const verdict::Decision>;

/// Which layer and which neuron the person is looking at.
struct Selection {
    std::uint32_t layer = 0;
    std::optional<std::uint32_t> neuron;
    bool operator==(const Selection&) const = default;
};

/// The layer's statistics, or null where there are none.
inline const profile::LayerProfile* layer_of(const ProfilePtr& profile, std::uint32_t layer) {
    return profile && layer < profile->layers.size() ? profile->layers[layer].get() : nullptr;
}

/// Whether any layer was reached; a model that is only open has a profile of unreached layers.
inline bool has_statistics(const ProfilePtr& profile) {
    return profile && std::any_of(profile->layers.begin(), profile->layers.end(),
                                  [](const auto& layer) { return layer != nullptr; });
}

} // namespace permafrost::widgets
