// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a mask is expected to cost before it was evaluated: from the profile alone, at once, calibrated on settings that were.
#pragma once

#include "core/profile/profile.h"
#include "core/quality/handling.h"
#include "core/quality/sweep.h"
#include "core/verdict/decision.h"

#include <span>
#include <string>

namespace permafrost::quality {

/// The part of the FFN outputs that a mask takes away, added up over layers:
///   sum over layers of  sum over frozen neurons of  e * |down column|^2 / scale^2,
/// with profile::output_scales(), where e is the mean square of what is lost at a token: var(h) for a neuron that is kept at its mean, var(h) + mean(h)^2 for one
/// that is set to zero. 0 for a mask without a neuron. Layers without statistics count nothing.
double output_loss(const profile::Profile& profile, const verdict::Decision& decision,
                   const FrozenHandling& handling);

/// One evaluated setting.
struct LossPoint {
    double output_loss = 0;
    double kl = 0;    ///< measured mean KL, nats
    std::string kind; ///< loss_kind() of its setting
};

/// Settings whose masks are alike: the same method and criteria, whatever their numbers.
std::string loss_kind(const masks::FreezeRule& rule);

/// An expected KL divergence, nats, and the factor by which it may be wrong (1.2: a fifth).
struct LossEstimate {
    double kl = 0;
    double factor =
        0; ///< typical: e^(root mean square of the errors in the logarithm of the points of that kind, each left
           ///< out in turn)
    std::size_t points = 0;
};

/// KL against output loss is close to a power law, with another factor and exponent for each model and kind of mask:
///   log KL = a + b log loss,
/// fitted to the evaluated points by least squares, weighted by how near they are to the asked loss (a kernel of 1 / (d^2 + w^2), d the
/// distance in log loss; a twentieth for points of another kind), the exponent drawn weakly towards 1, KL's for small disturbances. Points with a loss or KL that is
/// not above zero are left out; without any point there is no estimate (points = 0).
LossEstimate estimate_loss(std::span<const LossPoint> points, double output_loss,
                           const std::string& kind = {});

/// How well the estimate predicts evaluated settings from `calibration` of them, spread evenly over the range of output losses.
struct PredictionError {
    std::size_t predicted = 0;   ///< settings that were predicted; 0: there are too few
    double median = 0, most = 0; ///< of |estimated / measured KL - 1|
};
PredictionError prediction_error(std::span<const SweptSetting> settings, std::size_t calibration);

} // namespace permafrost::quality
