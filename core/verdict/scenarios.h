// SPDX-License-Identifier: GPL-3.0-or-later
//
// The seeds' decision tree ("Speedup Scenarios"), walked with measured figures:
//   A  75 % of the neurons   when less than 0.5 % of the accuracy is lost
//   B  50 % of the neurons   when less than 2 % is lost
//   C  fusion, and masks on the deep layers, when those lose less than 0.5 % (the seeds take for granted that they lose nothing)
//   D  fusion only, which computes the same
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace permafrost::verdict {

enum class Scenario : std::uint8_t { A, B, C, D };
inline constexpr std::array scenarios{Scenario::A, Scenario::B, Scenario::C, Scenario::D};

/// What the seeds say of a scenario; their figures are of another model and machine.
struct ScenarioFacts {
    char letter;
    std::string_view title;     ///< "conservative: 75 % of the neurons"
    std::string_view risk_word; ///< "low"
    double seeds_speedup;       ///< of the feed-forward layers, fusion included
    double largest_loss;        ///< share of the accuracy; of D: 0, it computes the same
};
const ScenarioFacts& facts(Scenario scenario);

/// Share of the dense model's accuracy that a variant loses, measured on the same questions or tokens.
struct AccuracyLoss {
    double loss = 0;         ///< 1 - variant / dense; below zero: the variant is right more often
    double error = 0;        ///< one standard error, of the paired differences
    std::uint64_t count = 0; ///< questions or tokens
    std::uint64_t right = 0; ///< of them the dense model answers
    /// Whether a loss of that size shows: two standard errors, and one question, are less than it.
    bool resolves(double limit) const;
};

/// From questions that only one of the two answers rightly, `right` being those the dense model does. Null when it answers none.
std::optional<AccuracyLoss> loss_of_answers(std::uint64_t right, std::uint64_t count,
                                            std::uint64_t only_dense, std::uint64_t only_variant);

/// What was measured of the variant of a scenario.
struct ScenarioMeasured {
    std::optional<AccuracyLoss> tasks;  ///< multiple choice, when there are questions
    std::optional<AccuracyLoss> tokens; ///< next token of a text: a stand-in for tasks
    double speedup = 1;                 ///< of the feed-forward layers over two products, fusion included
    std::uint64_t frozen = 0;           ///< neurons left out
};

struct ScenarioStep {
    Scenario scenario = Scenario::D;
    bool taken = false;
    bool certain = true; ///< false: the limit lies within two standard errors of what was measured
    std::string reason;  ///< one sentence
};

/// The steps up to the one taken. It ends with D at the latest.
struct ScenarioPath {
    std::vector<ScenarioStep> steps;
    Scenario chosen() const { return steps.back().scenario; }
    bool certain() const; ///< all steps
};

/// `fusion`: speed-up of fused over two products. Tasks decide; where there are too few to show a loss of the limit's size, the tokens
/// must not lose more than the limit either. A variant of which neither was measured is not taken.
ScenarioPath walk_scenarios(const ScenarioMeasured& a, const ScenarioMeasured& b, const ScenarioMeasured& c,
                            double fusion);

} // namespace permafrost::verdict
