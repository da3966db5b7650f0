// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a heatmap cell, a histogram or a table column can show about a neuron.
#pragma once

#include "core/masks/freeze_rule.h"
#include "core/profile/layer_profile.h"

#include <QString>

#include <span>
#include <vector>

namespace permafrost::widgets {

enum class Metric {
    Frozen,           ///< 1 where the mask freezes the neuron
    Variance,         ///< of h
    AbsoluteMean,     ///< |mean(h)|
    LowActivity,      ///< share of tokens with |h| below the rule's activation threshold
    Rms,              ///< root mean square of h
    Peak,             ///< largest |h|
    TemporalGradient, ///< mean |h(t) - h(t-1)|
    GuardScore,       ///< largest |h| * down norm / typical output of the layer, what the guard looks at
    Impact            ///< std(h) * down norm / typical output of the layer
};

const std::vector<Metric>& all_metrics();

QString name_of(Metric metric);
QString unit_of(Metric metric);        ///< "h²", "% of tokens"; empty for ratios
QString description_of(Metric metric); ///< one sentence
/// Stored in settings: "variance".
QString identifier_of(Metric metric);
Metric metric_from_identifier(const QString& identifier);
/// Spans decades, so that a logarithmic scale reads better.
bool is_logarithmic(Metric metric);
/// Shares are kept as 0 … 1 and shown in percent.
bool is_share(Metric metric);
/// "0.0123 h²", "12.3 %".
QString with_unit(Metric metric, double value);

/// One value a neuron; Frozen has none here, since it is the mask.
std::vector<float> metric_values(const profile::LayerProfile& layer, Metric metric,
                                 double activation_threshold);

} // namespace permafrost::widgets
