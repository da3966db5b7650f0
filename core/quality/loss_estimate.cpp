// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/loss_estimate.h"

#include "core/profile/output_scale.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace permafrost::quality {
namespace {

constexpr double kernel_width = 0.5; // in log loss
constexpr double pull_to_one = 0.05; // weight of the exponent's prior

constexpr double other_kind = 0.05; // weight of points of another kind

struct LogPoint {
    double x, y, weight;
};

double fitted(const std::vector<LogPoint>& points, double x, std::size_t without) {
    double weights = 0, mean_x = 0, mean_y = 0;
    std::vector<double> weight(points.size(), 0.0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i == without) continue;
        const double distance = points[i].x - x;
        weight[i] = points[i].weight / (distance * distance + kernel_width * kernel_width);
        weights += weight[i];
        mean_x += weight[i] * points[i].x;
        mean_y += weight[i] * points[i].y;
    }
    mean_x /= weights;
    mean_y /= weights;
    double xx = pull_to_one, xy = pull_to_one;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double dx = points[i].x - mean_x;
        xx += weight[i] / weights * dx * dx;
        xy += weight[i] / weights * dx * (points[i].y - mean_y);
    }
    return mean_y + xy / xx * (x - mean_x);
}

} // namespace

double output_loss(const profile::Profile& profile, const verdict::Decision& decision,
                   const FrozenHandling& handling) {
    double loss = 0;
    const auto scales = profile::output_scales(profile);
    for (std::uint32_t index = 0; index < decision.masks.size(); ++index) {
        const auto& layer = profile.layers[index];
        const auto& frozen = decision.masks[index].frozen;
        if (!layer || !(scales[index] > 0)) continue;
        const auto mean = layer->mean(), variance = layer->variance(), norm = layer->down_norm();
        double lost = 0;
        for (std::size_t i = 0; i < frozen.size(); ++i) {
            if (!frozen.test(i)) continue;
            const double square = double{mean[i]} * mean[i];
            const auto kind = handling.of(index);
            const bool kept = kind == Handling::Mean ||
                              (kind == Handling::Better &&
                               mean_is_better(mean[i], variance[i], static_cast<double>(layer->count(i))));
            lost += (variance[i] + (kept ? 0.0 : square)) * norm[i] * norm[i];
        }
        loss += lost / (scales[index] * scales[index]);
    }
    return loss;
}

std::string loss_kind(const masks::FreezeRule& rule) {
    const auto name = masks::rule_name(rule);
    return name.substr(0, name.find(':'));
}

LossEstimate estimate_loss(std::span<const LossPoint> points, double output_loss, const std::string& kind) {
    constexpr auto none = static_cast<std::size_t>(-1);
    std::vector<LogPoint> logs;
    for (const auto& point : points)
        if (point.output_loss > 0 && point.kl > 0 && std::isfinite(point.kl))
            logs.push_back(
                {std::log(point.output_loss), std::log(point.kl), point.kind == kind ? 1.0 : other_kind});
    LossEstimate estimate;
    estimate.points = logs.size();
    if (logs.empty() || !(output_loss > 0)) return estimate;
    estimate.kl = std::exp(fitted(logs, std::log(output_loss), none));
    double squares = 0, weights = 0;
    for (std::size_t i = 0; logs.size() > 1 && i < logs.size(); ++i) {
        const double error = fitted(logs, logs[i].x, i) - logs[i].y;
        squares += logs[i].weight * error * error;
        weights += logs[i].weight;
    }
    if (weights > 0) estimate.factor = std::exp(std::sqrt(squares / weights));
    return estimate;
}

PredictionError prediction_error(std::span<const SweptSetting> settings, std::size_t calibration) {
    std::vector<LossPoint> points;
    for (const auto& swept : settings)
        if (swept.output_loss > 0 && swept.result.kl_mean > 0)
            points.push_back({swept.output_loss, swept.result.kl_mean, loss_kind(swept.setting.rule)});
    std::sort(points.begin(), points.end(), [](const LossPoint& one, const LossPoint& other) {
        return one.output_loss < other.output_loss;
    });
    if (calibration < 2 || points.size() <= calibration) return {};
    std::vector<LossPoint> known, asked;
    for (std::size_t i = 0, next = 0; i < points.size(); ++i) {
        const bool take = i == next * (points.size() - 1) / (calibration - 1);
        (take ? known : asked).push_back(points[i]);
        next += take;
    }
    std::vector<double> errors;
    for (const auto& point : asked)
        errors.push_back(std::fabs(estimate_loss(known, point.output_loss, point.kind).kl / point.kl - 1));
    std::sort(errors.begin(), errors.end());
    return {errors.size(), errors[errors.size() / 2], errors.back()};
}

} // namespace permafrost::quality
