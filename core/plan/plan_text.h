// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/make_plan.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace permafrost::plan {

/// Where the files of a plan are, for the commands that carry it out.
struct PlanFiles {
    std::string model, profile;
};

/// The commands that write the masks of a variant and the smaller model, as a shell reads them.
std::vector<std::string> export_commands(const PlannedVariant& variant, const PlanRequest& request,
                                         const PlanFiles& files);

/// The plan for people: the way through the tree, the figures beside the seeds', the export commands of what was chosen.
std::string plan_text(const Plan& plan, const PlanRequest& request, const PlanFiles& files);

/// "scenario", "certain", "steps", "variants", "fusion", "machine": all figures, numbers as measured.
nlohmann::ordered_json plan_json(const Plan& plan, const PlanRequest& request, const PlanFiles& files);

} // namespace permafrost::plan
