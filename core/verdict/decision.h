// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/freeze_rule.h"
#include "core/profile/profile.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace permafrost::verdict {

enum class Verdict : std::uint8_t { Proceed, Conditional, Skip };
std::string_view word(Verdict verdict);           ///< "PROCEED"
std::string_view recommendation(Verdict verdict); ///< the seeds' sentence, with the word before it
std::string_view next_step(Verdict verdict);
/// avg_speedup > 1.05 PROCEED, > 1.02 CONDITIONAL, else SKIP (seeds, "Go/No-Go Decision").
Verdict judge(double average_speedup);

/// What the masks mean for one layer.
struct LayerMetrics {
    std::uint32_t layer = 0;
    std::uint32_t neurons = 0;
    bool profiled = false; ///< false: no statistics yet, all figures are zero
    std::uint32_t frozen = 0;
    std::uint32_t saturated = 0;
    std::uint32_t guarded = 0;
    double frozen_share = 0;     ///< 0 … 1
    double saturated_share = 0;  ///< 0 … 1
    double speedup = 1;          ///< layer_speedup(): an upper bound
    double average_variance = 0; ///< of h
    double average_gate_variance = 0;
    double average_up_variance = 0;
};

/// 1 / (1 - frozen / neurons), an upper bound for the layer's FFN (seeds, "Speedup Estimation"). A layer that
/// is frozen entirely counts as if one neuron were left, so the bound is at most `neurons`.
double layer_speedup(std::uint32_t frozen, std::uint32_t neurons);

/// Layers first … last inclusive. The seeds' bands are 0-7, 8-15 and 16-end; a model with fewer than 24
/// layers is cut in the same proportions: first quarter, second quarter, second half.
struct Band {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    double frozen_share = 0; ///< mean over the band's profiled layers
    double saturated_share = 0;
    bool empty = false; ///< models of one or two layers have empty bands
};
enum class Trend : std::uint8_t { Increases, Decreases, Uniform };
/// "increases_with_depth", "decreases_with_depth", "uniform_across_depth"
std::string_view identifier(Trend trend);
/// Early against late frozen share; within one percentage point is uniform.
Trend trend_of(double early_share, double late_share);

struct Decision {
    masks::FreezeRule rule;
    std::vector<masks::LayerMask> masks; ///< (layer); empty bitmasks where not profiled
    std::vector<LayerMetrics> layers;    ///< (layer)
    std::array<Band, 3> bands;           ///< early, mid, late
    Trend trend = Trend::Uniform;
    /// Mean of the layers' speedups, as in the seeds: an estimate, an upper bound.
    double average_speedup = 1;
    /// All FFN work over the work that is left (harmonic).
    double ffn_speedup = 1;
    /// 1 / (1 - ffn share of weight bytes * frozen share of FFN): whole model, batch 1.
    double model_speedup = 1;
    double frozen_share = 0; ///< of all profiled neurons
    double saturated_share = 0;
    std::uint64_t frozen = 0;
    std::uint64_t saturated = 0;
    std::uint64_t guarded = 0;
    std::uint64_t mask_bytes = 0; ///< sum over layers of ceil(neurons / 8) + 4, as the seeds count
    Verdict verdict = Verdict::Skip;
    bool provisional = false; ///< the profile is not complete
};

/// The product in one pure function: masks, per-layer metrics, trend and verdict of a profile under a rule.
/// `rule` must be valid (masks::validate). Layers without statistics count in nothing.
Decision decide(const profile::Profile& profile, const masks::FreezeRule& rule);

std::string one_sentence(const Decision& decision); ///< why the verdict is what it is, for people

std::array<Band, 3> cut_bands(std::uint32_t layers);

} // namespace permafrost::verdict
