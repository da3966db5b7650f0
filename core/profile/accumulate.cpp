// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/accumulate.h"

#include "core/tensor/elementwise.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace permafrost::profile {
namespace {

constexpr std::size_t width = Accumulator::block_width;
constexpr std::size_t bin_stride = 64; // at least edge_count + 1
static_assert(magnitude_bins::edge_count + 1 <= bin_stride);

// Bin of a magnitude from its leading bits: each cell of 2^20 float codes holds at most one edge.
struct BinTable {
    static constexpr std::size_t cells = std::size_t{1} << 11;
    std::array<std::uint8_t, cells> bin{}; ///< of the cell's first value
    std::array<float, cells> edge{};       ///< the edge inside the cell, or infinity

    BinTable() {
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const auto first = std::bit_cast<float>(static_cast<std::uint32_t>(cell << 20));
            edge[cell] = std::numeric_limits<float>::infinity();
            if (!std::isfinite(first)) continue;
            bin[cell] = static_cast<std::uint8_t>(magnitude_bins::bin_of(first));
            const auto last = std::bit_cast<float>(static_cast<std::uint32_t>((cell << 20) | 0xfffffu));
            if (bin[cell] < magnitude_bins::edge_count && magnitude_bins::edges()[bin[cell]] <= last)
                edge[cell] = magnitude_bins::edges()[bin[cell]];
        }
    }
    std::size_t operator()(float magnitude) const {
        const auto cell = std::bit_cast<std::uint32_t>(magnitude) >> 20;
        return bin[cell] + (magnitude >= edge[cell] ? 1u : 0u);
    }
};

const BinTable& bin_table() {
    static const BinTable table;
    return table;
}

} // namespace

// Everything about `width` neurons while one tile is added; sums are of one sequence.
struct Accumulator::Block {
    alignas(64) std::array<double, width> sum, sum_squares, gate_sum, gate_sum_squares, up_sum,
        up_sum_squares, transition_sum;
    alignas(64) std::array<float, width> minimum, maximum, first_peak, previous;
    alignas(64) std::array<std::uint16_t, width * bin_stride> bins;
    alignas(64) std::array<std::uint32_t, width * position_buckets> low;
    alignas(64) std::array<std::uint32_t, width> non_finite;
    std::array<bool, width> skipped,
        previous_skipped;        ///< values of this token and the one before that count nowhere
    bool previous_usable = true; ///< none was skipped at the token before

    void begin_tile() {
        bins.fill(0);
        low.fill(0);
        non_finite.fill(0);
        minimum.fill(std::numeric_limits<float>::infinity());
        maximum.fill(-std::numeric_limits<float>::infinity());
        first_peak.fill(0);
    }
    void begin_sequence() {
        for (auto* sums :
             {&sum, &sum_squares, &gate_sum, &gate_sum_squares, &up_sum, &up_sum_squares, &transition_sum})
            sums->fill(0);
        previous_usable = true;
    }

    void add_extremes(const std::array<float, width>& h, std::size_t bucket, bool first_token) {
        std::uint32_t* low_here = low.data() + bucket * width;
        for (std::size_t i = 0; i < width; ++i) {
            minimum[i] = h[i] < minimum[i] ? h[i] : minimum[i];
            maximum[i] = h[i] > maximum[i] ? h[i] : maximum[i];
            low_here[i] += std::fabs(h[i]) < low_activity_by_position_threshold ? 1u : 0u;
        }
        if (first_token)
            for (std::size_t i = 0; i < width; ++i) first_peak[i] = std::max(first_peak[i], std::fabs(h[i]));
        else
            for (std::size_t i = 0; i < width; ++i)
                transition_sum[i] += std::fabs(static_cast<double>(h[i]) - static_cast<double>(previous[i]));
        const auto& bin_of = bin_table();
        for (std::size_t i = 0; i < width; ++i) ++bins[i * bin_stride + bin_of(std::fabs(h[i]))];
    }

    // The same for the rare tokens at which, or before which, some values were skipped.
    void add_extremes_where_usable(const std::array<float, width>& h, std::size_t bucket, bool first_token,
                                   std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            if (skipped[i]) continue;
            minimum[i] = std::min(minimum[i], h[i]);
            maximum[i] = std::max(maximum[i], h[i]);
            if (std::fabs(h[i]) < low_activity_by_position_threshold) ++low[bucket * width + i];
            ++bins[i * bin_stride + bin_table()(std::fabs(h[i]))];
            if (first_token)
                first_peak[i] = std::max(first_peak[i], std::fabs(h[i]));
            else if (!previous_skipped[i] || previous_usable)
                transition_sum[i] += std::fabs(static_cast<double>(h[i]) - static_cast<double>(previous[i]));
        }
    }
};

namespace {

std::size_t position_bucket(std::size_t position, std::uint32_t context) {
    return std::min(position * position_buckets / context, position_buckets - 1);
}

struct Row {
    float* gate;
    const float* up;
};

} // namespace

Accumulator::Accumulator(std::uint32_t context) : context_(context), block_(std::make_unique<Block>()) {}
Accumulator::~Accumulator() = default;
Accumulator::Accumulator(Accumulator&&) noexcept = default;

void Accumulator::begin_layer(std::uint32_t neurons) {
    statistics_ = LayerStatistics(neurons);
    non_finite_.clear();
}

std::uint64_t Accumulator::bytes() const { return statistics_.bytes() + sizeof(Block); }

void Accumulator::add(model::FfnActivations& activations) {
    const auto& tile = activations.tile;
    const std::size_t neurons = activations.gate.columns;
    for (std::size_t first = 0; first < neurons; first += width) {
        const auto count = std::min(width, neurons - first);
        block_->begin_tile();
        for (const auto& part : tile.parts) add_part(activations, part, first, count);
        flush_block(first, count);
        // Rows without a token: zero in, zero out.
        for (std::size_t row = tile.tokens; row < activations.gate.rows; ++row)
            std::fill_n(activations.gate.data + row * activations.gate.stride + first, count, 0.0f);
    }
    statistics_.tokens += tile.tokens;
    for (const auto& part : tile.parts) {
        statistics_.transitions += part.length - 1;
        for (std::uint32_t position = 0; position < part.length; ++position)
            ++statistics_.tokens_by_position[position_bucket(position, context_)];
    }
}

namespace {

bool usable(float value) { return std::fabs(value) < largest_magnitude; }

// One token's values of up to `width` neurons; returns whether all are usable. Lanes past `count` are zero.
struct Lanes {
    alignas(64) std::array<float, width> gate{}, up{}, h{};

    bool fill(const Row& row, std::size_t count, model::GateActivation activation) {
        return activation == model::GateActivation::GeluTanh
                   ? fill_by(row, count, [](float x) { return tensor::gelu_tanh_f32(x); })
                   : fill_by(row, count, [](float x) { return tensor::silu_f32(x); });
    }

    template <class Function>
    bool fill_by(const Row& row, std::size_t count, Function function) {
        std::memcpy(gate.data(), row.gate, count * sizeof(float));
        std::memcpy(up.data(), row.up, count * sizeof(float));
        int unusable = 0;
        for (std::size_t i = 0; i < width; ++i) {
            h[i] = function(gate[i]) * up[i];
            unusable |= static_cast<int>(!usable(gate[i])) | static_cast<int>(!usable(up[i])) |
                        static_cast<int>(!usable(h[i]));
        }
        return unusable == 0;
    }
};

void add_products(std::array<double, width>& sum, std::array<double, width>& sum_squares,
                  const std::array<float, width>& values) {
    for (std::size_t i = 0; i < width; ++i) {
        const auto value = static_cast<double>(values[i]);
        sum[i] += value;
        sum_squares[i] += value * value;
    }
}

} // namespace

void Accumulator::skip_unusable(std::array<float, block_width>& gate, std::array<float, block_width>& up,
                                std::array<float, block_width>& h, std::uint64_t sequence,
                                std::size_t first_neuron, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (usable(gate[i]) && usable(up[i]) && usable(h[i])) continue;
        gate[i] = up[i] = h[i] = 0;
        block_->skipped[i] = true;
        if (block_->non_finite[i]++ == 0)
            keep_first(non_finite_, {sequence, static_cast<std::uint32_t>(first_neuron + i)}, most_places);
    }
}

void Accumulator::add_part(model::FfnActivations& activations, const model::Tile::Part& part,
                           std::size_t first_neuron, std::size_t count) {
    auto& block = *block_;
    block.begin_sequence();
    Lanes lanes;
    for (std::uint32_t t = 0; t < part.length; ++t) {
        const std::size_t row = part.first_row + t;
        const Row values{activations.gate.data + row * activations.gate.stride + first_neuron,
                         activations.up.data + row * activations.up.stride + first_neuron};
        // Rows are far apart, too far for the processor to guess the next ones.
        constexpr std::size_t ahead = 4, line = 16;
        for (std::size_t i = 0; i < width; i += line) {
            __builtin_prefetch(values.gate + ahead * activations.gate.stride + i, 1);
            __builtin_prefetch(values.up + ahead * activations.up.stride + i);
        }
        const bool all_usable = lanes.fill(values, count, activations.activation);
        block.skipped.fill(0);
        if (!all_usable) skip_unusable(lanes.gate, lanes.up, lanes.h, part.sequence, first_neuron, count);
        std::memcpy(values.gate, lanes.h.data(), count * sizeof(float));

        add_products(block.sum, block.sum_squares, lanes.h);
        add_products(block.gate_sum, block.gate_sum_squares, lanes.gate);
        add_products(block.up_sum, block.up_sum_squares, lanes.up);
        const auto bucket = position_bucket(t, context_);
        if (all_usable && block.previous_usable)
            block.add_extremes(lanes.h, bucket, t == 0);
        else
            block.add_extremes_where_usable(lanes.h, bucket, t == 0, count);
        block.previous = lanes.h;
        block.previous_skipped = block.skipped;
        block.previous_usable = all_usable;
    }

    const auto add_to = [&](std::vector<Int128>& sums, const std::array<double, width>& parts) {
        for (std::size_t i = 0; i < count; ++i) sums[first_neuron + i] += fixed_point::from_double(parts[i]);
    };
    add_to(statistics_.sum, block.sum);
    add_to(statistics_.sum_squares, block.sum_squares);
    add_to(statistics_.gate_sum, block.gate_sum);
    add_to(statistics_.gate_sum_squares, block.gate_sum_squares);
    add_to(statistics_.up_sum, block.up_sum);
    add_to(statistics_.up_sum_squares, block.up_sum_squares);
    add_to(statistics_.transition_sum, block.transition_sum);
}

void Accumulator::flush_block(std::size_t first_neuron, std::size_t count) {
    auto& block = *block_;
    const std::size_t neurons = statistics_.neurons;
    // Cumulative counts: neuron by neuron here, edge by edge there.
    std::array<std::uint32_t, width> below{};
    for (std::size_t edge = 0; edge < magnitude_bins::edge_count; ++edge) {
        std::uint32_t* target = statistics_.below.data() + edge * neurons + first_neuron;
        for (std::size_t i = 0; i < count; ++i) {
            below[i] += block.bins[i * bin_stride + edge];
            target[i] += below[i];
        }
    }
    for (std::size_t bucket = 0; bucket < position_buckets; ++bucket)
        for (std::size_t i = 0; i < count; ++i)
            statistics_.low_by_position[bucket * neurons + first_neuron + i] += block.low[bucket * width + i];
    for (std::size_t i = 0; i < count; ++i) {
        const auto neuron = first_neuron + i;
        statistics_.minimum[neuron] = std::min(statistics_.minimum[neuron], block.minimum[i]);
        statistics_.maximum[neuron] = std::max(statistics_.maximum[neuron], block.maximum[i]);
        statistics_.first_token_peak[neuron] =
            std::max(statistics_.first_token_peak[neuron], block.first_peak[i]);
        statistics_.non_finite[neuron] += block.non_finite[i];
    }
}

} // namespace permafrost::profile
