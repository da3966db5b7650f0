// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_identity.h"

#include "core/base/hash.h"

namespace permafrost::masks {

std::string mask_identity(const std::map<std::uint32_t, Bitmask>& layers) {
    Sha256 hash;
    for (const auto& [layer, mask] : layers) {
        if (mask.count() == 0) continue;
        const std::uint64_t head[] = {layer, mask.size()};
        hash.add(bytes_of(std::span<const std::uint64_t>(head)));
        hash.add(std::as_bytes(mask.bytes()));
    }
    return hash.finish();
}

} // namespace permafrost::masks
