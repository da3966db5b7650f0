// SPDX-License-Identifier: GPL-3.0-or-later
//
// The seeds' scenarios measured for one model on this machine: what each variant loses and how fast its feed-forward layers are, and which
// scenario that leads to (verdict/scenarios.h).
#pragma once

#include "core/base/result.h"
#include "core/plan/plan_request.h"
#include "core/verdict/scenarios.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace permafrost::plan {

/// A scenario's variant of the model: removed neurons keep their mean.
struct PlannedVariant {
    verdict::Scenario scenario = verdict::Scenario::A;
    masks::FreezeRule rule;
    std::uint64_t frozen = 0;
    double frozen_share = 0; ///< of all neurons
    quality::Comparison text;
    std::optional<quality::TaskComparison> tasks;
    /// (conditions) of the feed-forward layers over two products: fusion times what the frozen neurons save.
    std::vector<double> speedups;
    std::vector<double>
        model_speedups; ///< (conditions) what that makes of the whole model, by the bytes a token reads
    std::uint64_t weight_bytes = 0; ///< of the feed-forward layers when frozen neurons are packed away
    verdict::ScenarioMeasured measured;
};

struct Plan {
    quality::Evaluation dense;
    std::optional<quality::TaskEvaluation> tasks; ///< of all variants
    std::vector<speed::FfnSpeed>
        speed; ///< (conditions) all threads and one token, one thread, then the same with a prompt
    std::vector<double> fusion;           ///< (conditions) speed-up of fused over two products
    std::vector<PlannedVariant> variants; ///< A, B, C
    std::uint64_t ffn_bytes = 0;          ///< weights of the dense feed-forward layers
    double ffn_share = 1;                 ///< of the bytes that a token reads
    verdict::ScenarioPath path;
};

struct PlanObserver {
    /// `what`: "quality", "questions" or "speed".
    std::function<void(const char* what, double share)> progress;
};

/// Errors: as quality::evaluate_paired() and quality::evaluate_tasks(); a profile of another model or that is not complete; too few
/// questions for the examples. Cancelled.
Result<Plan> make_plan(const PlanRequest& request, const PlanObserver& observer = {},
                       const std::stop_token& stop = {});

} // namespace permafrost::plan
