// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/forward.h"
#include "core/profile/layer_statistics.h"
#include "core/profile/profile.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

namespace permafrost::profile {

/// Magnitudes from here on (and NaN) count as not finite: their squares would not fit the fixed-point sums.
inline constexpr float largest_magnitude = 0x1p22f;

/// Where values that are not finite were met: in `neuron` of this layer, in this sequence of the corpus.
struct NonFiniteSpot {
    std::uint64_t sequence = 0;
    std::uint32_t neuron = 0;
    auto operator<=>(const NonFiniteSpot&) const = default;
};

/// How many first places a profile names.
inline constexpr std::size_t most_places = 16;

/// Inserts `place` into the sorted list and keeps only the first `most`.
template <class Place>
void keep_first(std::vector<Place>& places, const Place& place, std::size_t most) {
    if (places.size() >= most && !(place < places.back())) return;
    places.insert(std::upper_bound(places.begin(), places.end(), place), place);
    if (places.size() > most) places.pop_back();
}

/// One thread's accumulator: computes h = activation(gate) * up for a tile and adds every statistic of it to a layer.
class Accumulator {
  public:
    /// Neurons handled together: their sums and histograms stay in the first-level cache.
    static constexpr std::size_t block_width = 64;

    explicit Accumulator(std::uint32_t context);
    ~Accumulator();
    Accumulator(Accumulator&&) noexcept;

    /// Empty statistics for a layer of this width.
    void begin_layer(std::uint32_t neurons);
    /// The activation step of the forward pass. Values of h that are not finite are set to zero for the rest of the pass.
    void add(model::FfnActivations& activations);

    const LayerStatistics& statistics() const { return statistics_; }
    LayerStatistics& statistics() { return statistics_; }
    /// The first places, sorted, at most `most_places`.
    const std::vector<NonFiniteSpot>& non_finite() const { return non_finite_; }
    std::uint64_t bytes() const;

  private:
    struct Block;
    void add_part(model::FfnActivations& activations, const model::Tile::Part& part, std::size_t first_neuron,
                  std::size_t count);
    void skip_unusable(std::array<float, block_width>& gate, std::array<float, block_width>& up,
                       std::array<float, block_width>& h, std::uint64_t sequence, std::size_t first_neuron,
                       std::size_t count);
    void flush_block(std::size_t first_neuron, std::size_t count);

    std::uint32_t context_;
    LayerStatistics statistics_;
    std::vector<NonFiniteSpot> non_finite_;
    std::unique_ptr<Block> block_;
};

} // namespace permafrost::profile
