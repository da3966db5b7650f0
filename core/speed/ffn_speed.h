// SPDX-License-Identifier: GPL-3.0-or-later
//
// What freezing neurons saves on this machine: feed-forward layers timed dense, fused, masked and compacted, in turns, so that what
// else the machine does falls on all alike.
#pragma once

#include "core/base/result.h"
#include "core/speed/ffn_layers.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace permafrost::speed {

/// Neurons that are left out, (layer) ascending; layers beyond its end have none.
struct FrozenNeurons {
    std::string name;
    std::vector<std::vector<std::uint32_t>> layers;
};

/// What is measured wherever nothing else is asked for: shares frozen by chance, and widths that are kept.
inline constexpr std::array frozen_percents{5, 10, 20, 30, 50};
inline constexpr std::array width_percents{75, 50};

/// The same share of neurons in each layer, chosen by chance.
FrozenNeurons random_frozen(const FfnLayers& layers, int percent);
/// All neurons of each layer beyond the first `percent` of them.
FrozenNeurons last_frozen(const FfnLayers& layers, int percent);

/// How one token, or each of several at once, goes through the layers.
struct Conditions {
    std::size_t threads = 0; ///< 0: one a processor
    std::size_t tokens = 1;  ///< at once: 1 is generating, some hundreds are reading a prompt
};

/// One way of computing all layers of the model.
struct WaySpeed {
    double seconds = 0;              ///< a token, all layers of the model; median of the repeats
    double fastest = 0, slowest = 0; ///< the same at the 10th and 90th percentile
    double bytes = 0;                ///< weights read for that
    double operations = 0;           ///< floating-point operations a token
    double speedup = 1; ///< over fused dense layers in the same turns: the median of the turns' ratios
    double least_speedup = 1, most_speedup = 1; ///< their 10th and 90th percentile
    double gbps(std::size_t tokens) const { return bytes / (seconds * static_cast<double>(tokens)) / 1e9; }
    double gflops() const { return operations / seconds / 1e9; }
};

/// What one set of frozen neurons saves.
struct FrozenSpeed {
    std::string name;
    double frozen_share = 0; ///< of all neurons of the layers, 0 … 1
    double ideal = 1;        ///< dense work / work that is left: 1 / (1 - share)
    /// Weights where they are, frozen ones skipped by runs; without skipping where that does not pay.
    WaySpeed masked;
    /// Frozen neurons packed away; not there when a matrix is of a type that is not encoded.
    std::optional<WaySpeed> compacted;
    WaySpeed dense_beside; ///< fused dense layers in the same turns: what speed-ups are against

    double masked_speedup() const { return masked.speedup; }
    double compacted_speedup() const { return compacted ? compacted->speedup : 1; }
    /// The better of the two.
    double speedup() const {
        return masked_speedup() > compacted_speedup() ? masked_speedup() : compacted_speedup();
    }
};

/// What was measured under one set of conditions.
struct FfnSpeed {
    Conditions conditions;           ///< threads as they were
    double stream_gbps = 0;          ///< rate at which these threads read memory, mean of before and after
    double gemm_gflops = 0;          ///< rate of f32 matrix products with these threads, likewise
    WaySpeed two_products;           ///< dense: gate, then up, then down; of many tokens the same as `fused`
    WaySpeed fused;                  ///< dense: gate and up in one pass
    std::vector<FrozenSpeed> frozen; ///< in the order asked for
    double fusion_speedup() const { return 1 / two_products.speedup; }
};

struct SpeedSettings {
    std::vector<Conditions> conditions{{0, 1}};
    std::size_t repeats = 11; ///< measured passes over the layers, after one that does not count
    bool pinned = true;       ///< each thread stays on its own processor while it measures
    bool compact = true;
};

struct SpeedObserver {
    std::function<void(double share)> progress;
    std::function<void(const std::vector<FfnSpeed>& so_far)>
        measured; ///< after each set of conditions and each set of frozen neurons
};

/// Times all sets of frozen neurons under all conditions. Errors: frozen neurons that do not fit the layers. Cancelled soon after `stop`.
Result<std::vector<FfnSpeed>> measure_ffn_speed(const FfnLayers& layers,
                                                const std::vector<FrozenNeurons>& frozen,
                                                const SpeedSettings& settings,
                                                const SpeedObserver& observer = {},
                                                const std::stop_token& stop = {});

/// What a faster FFN makes of the whole model when a token's time goes by the bytes it reads: 1 / (1 - share + share / speedup).
double whole_model_speedup(double ffn_share, double ffn_speedup);

} // namespace permafrost::speed
