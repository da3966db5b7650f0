// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/freeze_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace permafrost::masks {
namespace {

// A multiple of 8. The four arrays are read in turns of one block each; larger turns were measured to be
// slower, since the processor's prefetching starts anew with each.
constexpr std::size_t block_size = 256;
using Flags = std::array<std::uint8_t, block_size>;

/// Which criteria count, as constants of a branchless formula: with `flip` all ones a OR b = not (not a AND
/// not b), and an unused criterion is passed over by its `skip`.
struct Combination {
    std::uint8_t flip, skip_variance, skip_gradient, skip_activity;

    explicit Combination(const FreezeRule& rule)
        : flip(rule.combine == FreezeRule::Combine::Any), skip_variance(!rule.use_variance),
          skip_gradient(!rule.use_gradient), skip_activity(!rule.use_activity) {}
};

struct Criteria {
    Flags variance, gradient, activity;
};

void flag_below(const float* values, float limit, std::size_t count, std::uint8_t* flags) {
    for (std::size_t i = 0; i < count; ++i) flags[i] = values[i] < limit;
}

void flag_magnitude_below(const float* values, float limit, std::size_t count, std::uint8_t* flags) {
    for (std::size_t i = 0; i < count; ++i) flags[i] = std::fabs(values[i]) < limit;
}

void flag_above(const std::uint32_t* values, std::uint32_t limit, std::size_t count, std::uint8_t* flags) {
    for (std::size_t i = 0; i < count; ++i) flags[i] = values[i] > limit;
}

/// Low activity of neurons that may have been left out at some tokens: each is measured by its own count.
void flag_inactive(const profile::LayerProfile& layer, const FreezeLimits& limits, std::size_t first,
                   std::size_t count, std::uint8_t* flags) {
    const auto below = layer.below(limits.edge);
    for (std::size_t i = 0; i < count; ++i)
        flags[i] = below[first + i] > inactive_limit(limits.inactive_share, layer.count(first + i));
}

void flag_criteria(const profile::LayerProfile& layer, const FreezeLimits& limits, std::size_t first,
                   std::size_t count, Criteria& criteria) {
    flag_below(layer.variance().data() + first, limits.variance, count, criteria.variance.data());
    flag_magnitude_below(layer.mean().data() + first, limits.gradient, count, criteria.gradient.data());
    if (!limits.any_edge)
        std::memset(criteria.activity.data(), 0, count);
    else if (layer.non_finite() == 0)
        flag_above(layer.below(limits.edge).data() + first, limits.below, count, criteria.activity.data());
    else
        flag_inactive(layer, limits, first, count, criteria.activity.data());
}

/// A down column that is not finite makes its neuron's weight unknown: it is left alone.
void drop_unknown(const float* scores, std::size_t count, std::uint8_t* wanted) {
    for (std::size_t i = 0; i < count; ++i) wanted[i] &= scores[i] == scores[i];
}

void combine(const Criteria& criteria, const Combination& with, std::size_t count, std::uint8_t* wanted) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t met = ((criteria.variance[i] ^ with.flip) | with.skip_variance) &
                                 ((criteria.gradient[i] ^ with.flip) | with.skip_gradient) &
                                 ((criteria.activity[i] ^ with.flip) | with.skip_activity);
        wanted[i] = met ^ with.flip;
    }
}

/// Eight flags of 0 or 1 become one byte, the first flag in its lowest bit: the product moves flag k to bit
/// 56 + k.
std::uint8_t pack_eight(const std::uint8_t* flags) {
    std::uint64_t eight;
    std::memcpy(&eight, flags, sizeof eight);
    return static_cast<std::uint8_t>((eight * 0x0102040810204080u) >> 56);
}

/// Packs a block whose flags past `count` are made zero.
void pack(Flags& flags, std::size_t count, std::uint8_t* bytes) {
    const std::size_t byte_count = (count + 7) / 8;
    std::memset(flags.data() + count, 0, byte_count * 8 - count);
    for (std::size_t byte = 0; byte < byte_count; ++byte) bytes[byte] = pack_eight(flags.data() + byte * 8);
}

} // namespace

float round_up_to_float(double threshold) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    if (threshold > double{std::numeric_limits<float>::max()}) return infinity;
    const auto nearest = static_cast<float>(threshold);
    return double{nearest} < threshold ? std::nextafter(nearest, infinity) : nearest;
}

std::uint32_t inactive_limit(double inactive_share, std::uint64_t count) {
    const double limit = std::floor(inactive_share * static_cast<double>(count));
    return static_cast<std::uint32_t>(
        std::clamp(limit, 0.0, static_cast<double>(std::numeric_limits<std::uint32_t>::max())));
}

FreezeLimits::FreezeLimits(const profile::LayerProfile& layer, const FreezeRule& rule)
    : variance(round_up_to_float(rule.variance_threshold)),
      gradient(round_up_to_float(rule.gradient_threshold)),
      // A neuron that never moved the output is no spike, even where nothing else moved it either.
      guard(std::max(round_up_to_float(rule.guard_ratio * layer.typical_output()),
                     std::numeric_limits<float>::denorm_min())),
      below(inactive_limit(rule.inactive_share, layer.tokens())), inactive_share(rule.inactive_share) {
    const int row = profile::magnitude_bins::edge_at_or_below(rule.activation_threshold);
    any_edge = row >= 0;
    edge = any_edge ? static_cast<std::size_t>(row) : 0;
}

LayerMask apply_limits(const profile::LayerProfile& layer, const FreezeRule& rule, const FreezeLimits& limits,
                       std::span<const std::uint8_t> selected) {
    const std::size_t neurons = layer.neurons();
    LayerMask mask{Bitmask(neurons), Bitmask(neurons), Bitmask(neurons)};
    const Combination combination(rule);
    const float* scores = layer.guard_score().data();
    Criteria criteria;
    Flags wanted, harmless, frozen, saturated, guarded;
    for (std::size_t first = 0; first < neurons; first += block_size) {
        const std::size_t count = std::min(block_size, neurons - first);
        flag_criteria(layer, limits, first, count, criteria);
        if (selected.empty())
            combine(criteria, combination, count, wanted.data());
        else
            std::memcpy(wanted.data(), selected.data() + first, count);
        drop_unknown(scores + first, count, wanted.data());
        if (rule.guard)
            flag_below(scores + first, limits.guard, count, harmless.data());
        else
            std::memset(harmless.data(), 1, count);
        for (std::size_t i = 0; i < count; ++i) {
            frozen[i] = wanted[i] & harmless[i];
            guarded[i] = wanted[i] & (harmless[i] ^ 1u);
            saturated[i] = frozen[i] & criteria.variance[i] & criteria.gradient[i] & criteria.activity[i];
        }
        pack(frozen, count, mask.frozen.bytes().data() + first / 8);
        pack(saturated, count, mask.saturated.bytes().data() + first / 8);
        pack(guarded, count, mask.guarded.bytes().data() + first / 8);
    }
    return mask;
}

} // namespace permafrost::masks
