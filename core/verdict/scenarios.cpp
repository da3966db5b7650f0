// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/scenarios.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>

namespace permafrost::verdict {
namespace {

constexpr std::array all_facts{
    ScenarioFacts{'A', "conservative: 75 % of the neurons", "low", 1.67, 0.005},
    ScenarioFacts{'B', "aggressive: 50 % of the neurons", "moderate", 2.42, 0.02},
    ScenarioFacts{'C', "hybrid: fusion, and masks on the deep layers", "none", 1.85, 0.005},
    ScenarioFacts{'D', "fallback: fusion only", "none", 1.23, 0}};

std::string percent(double share, int decimals = 2) { return fixed_text(100 * share, decimals) + " %"; }

std::string measured_text(const AccuracyLoss& measured, const char* what) {
    return percent(measured.loss) + " +/- " + percent(measured.error) + " of the accuracy lost on " +
           std::to_string(measured.count) + " " + what;
}

bool is_certain(const AccuracyLoss& measured, double limit) {
    return std::abs(measured.loss - limit) > 2 * measured.error;
}

ScenarioStep judge(Scenario scenario, const ScenarioMeasured& measured) {
    const double limit = facts(scenario).largest_loss;
    ScenarioStep step{scenario, false, true, {}};
    if (!measured.tasks && !measured.tokens) {
        step.certain = false;
        step.reason = "What it loses was not measured.";
        return step;
    }
    const auto says = [&](const AccuracyLoss& loss, const char* what) {
        step.taken = loss.loss < limit;
        step.certain = is_certain(loss, limit);
        step.reason = measured_text(loss, what) + ", limit " + percent(limit, 1);
    };
    if (!measured.tasks) {
        says(*measured.tokens, "tokens (the next one; a stand-in for tasks)");
    } else {
        says(*measured.tasks, "questions");
        if (!measured.tasks->resolves(limit)) {
            step.reason += ", too few to show so little";
            step.certain = false;
            if (step.taken && measured.tokens) {
                step.taken = measured.tokens->loss < limit;
                step.certain = !step.taken && is_certain(*measured.tokens, limit);
                step.reason += "; " + measured_text(*measured.tokens, "tokens") +
                               (step.taken ? ", too" : ", which is too much");
            }
        }
    }
    step.reason += step.taken ? ": taken." : ": not taken.";
    return step;
}

} // namespace

const ScenarioFacts& facts(Scenario scenario) { return all_facts[static_cast<std::size_t>(scenario)]; }

bool AccuracyLoss::resolves(double limit) const {
    return right > 0 && 1.0 / static_cast<double>(right) < limit && 2 * error < limit;
}

std::optional<AccuracyLoss> loss_of_answers(std::uint64_t right, std::uint64_t count,
                                            std::uint64_t only_dense, std::uint64_t only_variant) {
    if (right == 0) return std::nullopt;
    const auto dense = static_cast<double>(only_dense), variant = static_cast<double>(only_variant);
    const double lost = dense - variant;
    // Variance of a sum of `count` differences that are -1, 0 or 1; one question is the least that can be told apart.
    const double spread = std::sqrt(dense + variant - lost * lost / static_cast<double>(count));
    const auto all = static_cast<double>(right);
    return AccuracyLoss{lost / all, std::max(1.0, spread) / all, count, right};
}

bool ScenarioPath::certain() const {
    return std::all_of(steps.begin(), steps.end(), [](const auto& step) { return step.certain; });
}

ScenarioPath walk_scenarios(const ScenarioMeasured& a, const ScenarioMeasured& b, const ScenarioMeasured& c,
                            double fusion) {
    ScenarioPath path;
    path.steps.push_back(judge(Scenario::A, a));
    if (path.steps.back().taken) return path;
    path.steps.push_back(judge(Scenario::B, b));
    if (path.steps.back().taken) return path;
    auto hybrid = judge(Scenario::C, c);
    if (c.frozen == 0)
        hybrid = {Scenario::C, false, true, "The rule freezes nothing in the deep layers: not taken."};
    else if (hybrid.taken && c.speedup <= fusion) {
        hybrid.taken = false;
        hybrid.reason = "The masks save no time here beside fusion (" + fixed_text(c.speedup, 2) + " x and " +
                        fixed_text(fusion, 2) + " x): not taken.";
    }
    path.steps.push_back(hybrid);
    if (hybrid.taken) return path;
    path.steps.push_back(
        {Scenario::D, true, true, "It computes the same as the model does, so nothing is lost: taken."});
    return path;
}

} // namespace permafrost::verdict
