// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was timed of a model's feed-forward layers on this machine. Immutable once it is shared.
#pragma once

#include "core/speed/ffn_speed.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace permafrost::widgets {

/// What layers are timed under.
struct BenchmarkConditions {
    bool f32 = false;        ///< random f32 weights in layers of the same size, else the model's own
    std::size_t tokens = 1;  ///< at once: 1 is generating
    std::size_t threads = 1; ///< never 0
    bool operator==(const BenchmarkConditions&) const = default;
};

enum class BenchmarkWay { TwoProducts, Fused, Masked, Compacted, Width };

/// One way of computing the layers, timed.
struct BenchmarkRow {
    BenchmarkConditions conditions;
    BenchmarkWay way = BenchmarkWay::Fused;
    int percent = 0;  ///< frozen by chance, or the width that is kept; 0 for dense layers and for masks
    std::string mask; ///< masks::mask_identity() of the mask that was present; else empty
    double frozen_share = 0;
    double ideal = 1; ///< dense work / work that is left: 1 / (1 - share)
    speed::WaySpeed speed;
    double stream_gbps = 0, gemm_gflops = 0; ///< the machine's own rates under these conditions
    std::int64_t measured_at = 0;            ///< seconds since 1970, UTC

    double gbps() const { return speed.gbps(conditions.tokens); }
    double of_ideal() const { return speed.speedup / ideal; }
    /// Of the rate that bounds it: reading its weights, or multiplying with them.
    double share_of_limit() const;
    bool is_bound_by_memory() const;
    double spread() const { return (speed.slowest - speed.fastest) / speed.seconds; }
    bool is_of_a_mask() const { return !mask.empty(); }
    /// A newer one of the same subject takes its place.
    bool same_subject(const BenchmarkRow& other) const;
};

struct BenchmarkResults {
    std::string processor;          ///< its name
    std::size_t processors = 1;     ///< threads when all are used
    double ffn_share = 1;           ///< of the bytes one token reads; 1: not known
    std::vector<BenchmarkRow> rows; ///< newest last

    /// Adds rows; those of the same subjects are replaced.
    void add(const std::vector<BenchmarkRow>& news);
    /// What a view shows under these conditions: dense ways, then the mask (the present one, else the newest earlier one), then shares
    /// in ascending order, then widths. `mask`: identity of the present one.
    std::vector<BenchmarkRow> shown(const BenchmarkConditions& conditions, const std::string& mask) const;
};
using BenchmarkResultsPtr = std::shared_ptr<const BenchmarkResults>;

/// What the verdict card says of a mask.
struct MeasuredSpeed {
    BenchmarkRow row; ///< the better of skipping and packing
    std::optional<double>
        model_speedup; ///< estimate of the whole model, generating; nothing when the FFN's share is not known
    bool earlier = false; ///< the mask has changed since
};

/// Of the present mask, else of the one that was measured last: the model's own weights, generating with all threads where that was
/// measured, else the nearest to that. Nothing when no mask was measured.
std::optional<MeasuredSpeed> measured_speed(const BenchmarkResults& results, const std::string& mask);

} // namespace permafrost::widgets
