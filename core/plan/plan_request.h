// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/model_file.h"
#include "core/masks/freeze_rule.h"
#include "core/profile/profile.h"
#include "core/quality/evaluation.h"
#include "core/quality/tasks.h"
#include "core/speed/ffn_speed.h"
#include "core/text/corpus.h"

#include <optional>
#include <string>
#include <vector>

namespace permafrost::plan {

/// What scenarios are measured on.
struct PlanRequest {
    formats::ModelFilePtr model;
    profile::ProfilePtr profile; ///< of that model: which neurons matter, and their means
    text::Corpus corpus;         ///< text::cut_text() with evaluation.context
    std::string text_name;       ///< "held-out text", or the file's name
    std::optional<quality::TaskSet> tasks;
    /// Go before each question. Without any, and with tasks, the set's first `shots` ones do, and only the rest is asked.
    std::vector<quality::Question> examples;
    std::size_t shots = 5;
    masks::FreezeRule deep_rule; ///< of scenario C; its layers: deep_layers() unless it says others
    quality::EvaluationSettings evaluation;
    std::size_t threads = 0; ///< 0: one a processor; the speed of one thread is measured too
    std::size_t repeats = 11;
    std::size_t prompt_tokens = 256; ///< at once, for the speed of reading a prompt
};

/// The last quarter of the layers, as the seeds' 24 … 31 of 32; at least one. First and last inclusive.
std::pair<std::uint32_t, std::uint32_t> deep_layers(std::uint32_t layers);

/// The rules of scenarios A, B and C. A and B keep the share of each layer's neurons with the largest impact.
std::vector<masks::FreezeRule> scenario_rules(const PlanRequest& request);

} // namespace permafrost::plan
