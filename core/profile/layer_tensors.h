// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/profile/layer_statistics.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace permafrost::profile {

/// One tensor of a layer as a .frost file holds it.
struct LayerTensor {
    std::string_view field; ///< of LayerStatistics
    std::string_view type;  ///< "I64", "U32" or "F32"
    std::vector<std::uint64_t> shape;

    std::uint64_t item_bytes() const { return type == "I64" ? 8 : 4; }
    /// The product cannot overflow: neurons are 32 bits and the other extents below 64.
    std::uint64_t bytes() const;
};

inline constexpr std::size_t layer_tensor_count = 17;

/// The tensors of a layer of so many neurons, in a fixed order.
std::array<LayerTensor, layer_tensor_count> layer_tensors(std::uint32_t neurons);

/// Their bytes in memory, in the same order.
std::array<std::span<std::byte>, layer_tensor_count> layer_bytes(LayerStatistics& statistics);
std::array<ByteSpan, layer_tensor_count> layer_bytes(const LayerStatistics& statistics);

/// "layer.7.sum"
std::string tensor_name(std::uint32_t layer, std::string_view field);

} // namespace permafrost::profile
