// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metric.h"

#include "widgets/numbers.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

struct MetricInfo {
    Metric metric;
    const char16_t* identifier;
    const char* name;
    const char* unit;
    const char* description;
    bool logarithmic;
    bool share;
};

const MetricInfo table[] = {
    {Metric::Frozen, u"frozen", QT_TRANSLATE_NOOP("Metric", "Frozen"),
     QT_TRANSLATE_NOOP("Metric", "% of neurons"),
     QT_TRANSLATE_NOOP("Metric", "Share of neurons that the mask freezes."), false, true},
    {Metric::Variance, u"variance", QT_TRANSLATE_NOOP("Metric", "Variance"),
     QT_TRANSLATE_NOOP("Metric", "h²"),
     QT_TRANSLATE_NOOP("Metric", "Variance of h = act(gate) · up over all tokens."), true, false},
    {Metric::AbsoluteMean, u"mean", QT_TRANSLATE_NOOP("Metric", "|Mean|"), QT_TRANSLATE_NOOP("Metric", "|h|"),
     QT_TRANSLATE_NOOP("Metric", "Magnitude of the mean of h over all tokens."), true, false},
    {Metric::LowActivity, u"low-activity", QT_TRANSLATE_NOOP("Metric", "Low activity"),
     QT_TRANSLATE_NOOP("Metric", "% of tokens"),
     QT_TRANSLATE_NOOP("Metric", "Share of tokens with |h| below the activation threshold."), false, true},
    {Metric::Rms, u"rms", QT_TRANSLATE_NOOP("Metric", "RMS"), QT_TRANSLATE_NOOP("Metric", "|h|"),
     QT_TRANSLATE_NOOP("Metric", "Root mean square of h over all tokens."), true, false},
    {Metric::Peak, u"peak", QT_TRANSLATE_NOOP("Metric", "Largest |h|"), QT_TRANSLATE_NOOP("Metric", "|h|"),
     QT_TRANSLATE_NOOP("Metric", "Largest magnitude of h that any token reached."), true, false},
    {Metric::TemporalGradient, u"temporal-gradient", QT_TRANSLATE_NOOP("Metric", "Temporal gradient"),
     QT_TRANSLATE_NOOP("Metric", "|Δh| per token"),
     QT_TRANSLATE_NOOP("Metric", "Mean change of h from one token to the next."), true, false},
    {Metric::GuardScore, u"guard", QT_TRANSLATE_NOOP("Metric", "Guard score"),
     QT_TRANSLATE_NOOP("Metric", "× typical"),
     QT_TRANSLATE_NOOP("Metric",
                       "Largest |h| times the down column's norm, over the layer's typical output."),
     true, false},
    {Metric::Impact, u"impact", QT_TRANSLATE_NOOP("Metric", "Output impact"),
     QT_TRANSLATE_NOOP("Metric", "× typical"),
     QT_TRANSLATE_NOOP(
         "Metric", "Standard deviation of h times the down column's norm, over the layer's typical output."),
     true, false},
};

const MetricInfo& info_of(Metric metric) {
    return *std::find_if(std::begin(table), std::end(table),
                         [&](const auto& row) { return row.metric == metric; });
}

QString translated(const char* text) { return QCoreApplication::translate("Metric", text); }

template <class F>
std::vector<float> each_neuron(const profile::LayerProfile& layer, F value) {
    std::vector<float> values(layer.neurons());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(value(i));
    return values;
}

std::vector<float> copy_of(std::span<const float> values) { return {values.begin(), values.end()}; }

std::vector<float> low_activity_values(const profile::LayerProfile& layer, double threshold) {
    const int edge = profile::magnitude_bins::edge_at_or_below(threshold);
    if (edge < 0 || layer.tokens() == 0) return std::vector<float>(layer.neurons(), 0.0F);
    const auto below = layer.below(static_cast<std::size_t>(edge));
    const auto scale = 1.0F / static_cast<float>(layer.tokens());
    return each_neuron(layer, [&](std::size_t i) { return static_cast<float>(below[i]) * scale; });
}

} // namespace

const std::vector<Metric>& all_metrics() {
    static const std::vector<Metric> metrics = [] {
        std::vector<Metric> list;
        for (const auto& row : table) list.push_back(row.metric);
        return list;
    }();
    return metrics;
}

QString name_of(Metric metric) { return translated(info_of(metric).name); }
QString unit_of(Metric metric) { return translated(info_of(metric).unit); }
QString description_of(Metric metric) { return translated(info_of(metric).description); }
QString identifier_of(Metric metric) { return QString::fromUtf16(info_of(metric).identifier); }
bool is_logarithmic(Metric metric) { return info_of(metric).logarithmic; }
bool is_share(Metric metric) { return info_of(metric).share; }

Metric metric_from_identifier(const QString& identifier) {
    for (const auto& row : table)
        if (identifier == QString::fromUtf16(row.identifier)) return row.metric;
    return Metric::Frozen;
}

QString with_unit(Metric metric, double value) {
    if (is_share(metric)) return percent(value) + unit_of(metric).mid(1);
    return significant(value) + u"\u00a0"_s + unit_of(metric);
}

std::vector<float> metric_values(const profile::LayerProfile& layer, Metric metric,
                                 double activation_threshold) {
    const auto down = layer.down_norm();
    const double typical = layer.typical_output() > 0 ? layer.typical_output() : 1.0;
    switch (metric) {
    case Metric::Frozen:
        return {};
    case Metric::Variance:
        return copy_of(layer.variance());
    case Metric::Rms:
        return copy_of(layer.rms());
    case Metric::Peak:
        return copy_of(layer.peak());
    case Metric::LowActivity:
        return low_activity_values(layer, activation_threshold);
    case Metric::AbsoluteMean:
        return each_neuron(layer, [&](std::size_t i) { return std::fabs(layer.mean()[i]); });
    case Metric::TemporalGradient:
        return each_neuron(layer, [&](std::size_t i) { return layer.temporal_gradient(i); });
    case Metric::GuardScore:
        return each_neuron(layer, [&](std::size_t i) { return double(layer.peak()[i]) * down[i] / typical; });
    case Metric::Impact:
        return each_neuron(
            layer, [&](std::size_t i) { return std::sqrt(double(layer.variance()[i])) * down[i] / typical; });
    }
    return {};
}

} // namespace permafrost::widgets
