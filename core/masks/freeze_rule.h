// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/masks/bitmask.h"
#include "core/masks/layer_rule.h"
#include "core/profile/layer_profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace permafrost::masks {

/// The share of a ranking rule that names none, and of VarianceGradient: the seeds' variance_quantile.
inline constexpr double default_quantile = 0.05, default_variance_quantile = 0.2;

/// Which neurons count as frozen. The three criteria are the seeds':
///   low variance   var(h) < variance_threshold
///   zero gradient  |mean(h)| < gradient_threshold
///   low activity   |h| < activation_threshold on more than inactive_share of the tokens
struct FreezeRule {
    enum class Method : std::uint8_t {
        Criteria, ///< the chosen criteria, combined
        Quantile, ///< the share `quantile` of each layer with the smallest rms(h) (the seeds' "statistical")
        Impact,   ///< the share `quantile` of each layer with the smallest std(h) * down-column norm
        /// The neurons that are among the share `quantile` of their layer with the smallest var(h) and among that with the
        /// smallest mean |h(t) - h(t-1)| (the seeds' "variance_gradient" with its variance_quantile).
        VarianceGradient
    };
    enum class Combine : std::uint8_t { All, Any };

    double variance_threshold = 0.01;
    double gradient_threshold = 0.001;
    double activation_threshold = 0.1; ///< works at the histogram edge at or below it, see magnitude_bins.h
    double inactive_share = 0.8;

    Method method = Method::Criteria;
    bool use_variance = true;
    bool use_gradient = true;
    bool use_activity = false;
    Combine combine = Combine::All;
    double quantile = default_quantile;

    /// Neurons whose rare spikes matter are never frozen: those whose largest |h| times down-column norm
    /// reaches `guard_ratio` times the typical norm of the layer's whole FFN output
    /// (LayerProfile::typical_output()). A neuron whose product is zero is never guarded.
    bool guard = true;
    double guard_ratio = 0.125;

    /// Layers the masks are limited to, first and last inclusive; empty: all.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> layers;

    /// Layers that differ from the rest.
    LayerRules layer_rules;

    /// Whether the layer is among those the masks are limited to and is not left out by its own rule.
    bool includes(std::uint32_t layer) const;
    /// The rule as it holds for one layer: that layer's own numbers put in, no layer rules left.
    FreezeRule for_layer(std::uint32_t layer) const;

    bool operator==(const FreezeRule&) const = default;
};

/// "variance+gradient", "all", "any", "variance", "gradient", "activity", "quantile:0.05", "impact:0.05", "variance_gradient:0.2", the
/// seeds' names of methods ("variance_gradient", "activity_counting" for activity, "statistical" and "statistical:0.05" for quantile), and
/// with + or | between criteria every other combination ("variance+activity", "variance|activity"). Keeps
/// thresholds as they are.
Result<FreezeRule> parse_rule(std::string_view text, FreezeRule base = {});
std::string rule_name(const FreezeRule& rule);
/// The seeds' words for the manifest: "variance + gradient tracking" for the default rule.
std::string method_description(const FreezeRule& rule);
/// The seeds' identifier for SaturationMaps: "variance_gradient_tracking" for the default rule.
std::string method_identifier(const FreezeRule& rule);
/// Errors: a threshold that is negative or not finite, a share or quantile outside 0 … 1, no criterion
/// chosen, layers in the wrong order or (when `layer_count` is not 0) beyond the last layer.
Result<void> validate(const FreezeRule& rule, std::uint32_t layer_count = 0);
/// "24-31" or "7".
Result<std::pair<std::uint32_t, std::uint32_t>> parse_layers(std::string_view text);

/// What the rule says about one layer.
struct LayerMask {
    Bitmask frozen;    ///< the mask: chosen criteria met and not guarded
    Bitmask saturated; ///< all three criteria met, and frozen: a part of frozen
    Bitmask guarded;   ///< would be frozen but for the guard
};

/// The rule for one layer, whichever: FreezeRule::includes() and for_layer() are the caller's business
/// (decide() obeys them). A neuron without one finite token or with a down column that is not finite is not
/// frozen.
LayerMask freeze_layer(const profile::LayerProfile& layer, const FreezeRule& rule);

/// Why one neuron is frozen or not, for people.
struct NeuronVerdict {
    bool low_variance = false;
    bool zero_gradient = false;
    bool low_activity = false;
    bool frozen = false;
    bool guarded = false;
    std::string reason; ///< "low variance, zero gradient", "guarded: …", "active: variance 0.31 >= 0.01"
};
/// `rule` as it holds for the layer (FreezeRule::for_layer); `mask` must be freeze_layer(layer, rule), or
/// empty where the rule leaves the layer out: then `included` is false (FreezeRule::includes).
NeuronVerdict explain(const profile::LayerProfile& layer, const FreezeRule& rule, const LayerMask& mask,
                      std::size_t neuron, bool included = true);

} // namespace permafrost::masks
