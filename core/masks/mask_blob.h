// SPDX-License-Identifier: GPL-3.0-or-later
//
// The masks of a model as one block of bytes that travels in other files and is used where it lies. Little-endian:
//    0  "PFMB"
//    4  u16 version, 1; a reader refuses a larger one
//    6  u16 minor version; a larger one may have more bytes after the last mask
//    8  u32 layers that have a mask
//   12  u32 zero
//   16  u64 bytes of the whole block
//   24  u64 zero
//   32  SHA-256 of the whole block with these 32 bytes zero
//   64  for each layer, ascending: u32 layer, u32 neurons, u32 frozen neurons, u32 place of its mask from the block's start
//       then the masks, ceil(neurons / 8) bytes each, bit i % 8 of byte i / 8 for neuron i, bits past the last neuron zero
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/masks/bitmask.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace permafrost::masks {

/// ceil(neurons / 8) + 16 bytes a layer and 64.
std::vector<std::byte> make_mask_blob(const std::map<std::uint32_t, Bitmask>& layers);

/// One layer's mask in a block; valid as long as the block's bytes.
class LayerMaskView {
  public:
    LayerMaskView(std::uint32_t layer, std::uint32_t neurons, std::uint32_t frozen, const std::uint8_t* bits)
        : layer_(layer), neurons_(neurons), frozen_(frozen), bits_(bits) {}

    std::uint32_t layer() const { return layer_; }
    std::uint32_t neurons() const { return neurons_; }
    std::uint32_t frozen() const { return frozen_; }
    double frozen_share() const { return neurons_ == 0 ? 0.0 : static_cast<double>(frozen_) / neurons_; }
    bool is_frozen(std::uint32_t neuron) const {
        return neuron < neurons_ && ((bits_[neuron / 8] >> (neuron % 8)) & 1u) != 0;
    }
    std::vector<std::uint32_t> frozen_neurons() const; ///< ascending
    /// (neurons) 0 where frozen, else 1, so that the product with h freezes (the seeds' to_dense_mask).
    std::vector<float> dense_mask() const;
    Bitmask bitmask() const;

  private:
    std::uint32_t layer_, neurons_, frozen_;
    const std::uint8_t* bits_;
};

/// A block that was checked once and is read in place.
class MaskBlobView {
  public:
    /// Nothing is copied: `bytes` must outlive the view. Errors name `where`: not such a block, of a newer version, truncated, or
    /// any byte changed.
    static Result<MaskBlobView> open(ByteSpan bytes, const std::string& where);

    const std::vector<LayerMaskView>& layers() const { return layers_; } ///< ascending
    /// Null for a layer without a mask.
    const LayerMaskView* find(std::uint32_t layer) const;

  private:
    std::vector<LayerMaskView> layers_;
};

} // namespace permafrost::masks
