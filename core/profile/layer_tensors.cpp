// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/layer_tensors.h"

namespace permafrost::profile {
namespace {

// A 128-bit integer lies in memory as its low and then its high 64 bits, which is how the file has it.
static_assert(sizeof(Int128) == 16);

template <class Byte, class Statistics>
std::array<std::span<Byte>, layer_tensor_count> bytes_of_fields(Statistics& s) {
    const auto of_list = [](auto& values) {
        return std::span<Byte>(reinterpret_cast<Byte*>(values.data()), values.size() * sizeof(values[0]));
    };
    const auto of_number = [](auto& value) {
        return std::span<Byte>(reinterpret_cast<Byte*>(&value), sizeof value);
    };
    return {of_number(s.tokens),
            of_number(s.transitions),
            of_list(s.tokens_by_position),
            of_list(s.sum),
            of_list(s.sum_squares),
            of_list(s.gate_sum),
            of_list(s.gate_sum_squares),
            of_list(s.up_sum),
            of_list(s.up_sum_squares),
            of_list(s.transition_sum),
            of_list(s.minimum),
            of_list(s.maximum),
            of_list(s.first_token_peak),
            of_list(s.down_norm),
            of_list(s.non_finite),
            of_list(s.below),
            of_list(s.low_by_position)};
}

} // namespace

std::uint64_t LayerTensor::bytes() const {
    std::uint64_t total = item_bytes();
    for (const auto extent : shape) total *= extent;
    return total;
}

std::array<LayerTensor, layer_tensor_count> layer_tensors(std::uint32_t neurons) {
    const std::vector<std::uint64_t> one{1};
    const std::vector<std::uint64_t> row{neurons};
    const std::vector<std::uint64_t> sums{neurons, 2};
    return {{{"tokens", "I64", one},
             {"transitions", "I64", one},
             {"tokens_by_position", "I64", {position_buckets}},
             {"sum", "I64", sums},
             {"sum_squares", "I64", sums},
             {"gate_sum", "I64", sums},
             {"gate_sum_squares", "I64", sums},
             {"up_sum", "I64", sums},
             {"up_sum_squares", "I64", sums},
             {"transition_sum", "I64", sums},
             {"minimum", "F32", row},
             {"maximum", "F32", row},
             {"first_token_peak", "F32", row},
             {"down_norm", "F32", row},
             {"non_finite", "U32", row},
             {"below", "U32", {magnitude_bins::edge_count, neurons}},
             {"low_by_position", "U32", {position_buckets, neurons}}}};
}

std::array<std::span<std::byte>, layer_tensor_count> layer_bytes(LayerStatistics& statistics) {
    return bytes_of_fields<std::byte>(statistics);
}

std::array<ByteSpan, layer_tensor_count> layer_bytes(const LayerStatistics& statistics) {
    return bytes_of_fields<const std::byte>(statistics);
}

std::string tensor_name(std::uint32_t layer, std::string_view field) {
    std::string name = "layer.";
    name += std::to_string(layer);
    name += '.';
    name += field;
    return name;
}

} // namespace permafrost::profile
