// SPDX-License-Identifier: GPL-3.0-or-later
//
// The result of `eval` as a file, so that exports can say what was measured of the very mask they carry.
#pragma once

#include "core/base/result.h"
#include "core/quality/evaluation.h"
#include "core/quality/handling.h"
#include "core/quality/tasks.h"
#include "core/verdict/quality_gate.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace permafrost::quality {

/// What an evaluation was of.
struct EvaluationSubject {
    std::string model_sha256; ///< formats::ModelFile::header_sha256()
    std::string text;         ///< "held-out text", or the file's name
    FrozenHandling handling;
    std::vector<std::string> mask_sha256; ///< (masked variant) masks::mask_identity()
    double overlap =
        0; ///< largest share of the text that is in the text a mask was made from (text::shared_share())
};

/// "dense", "tokens", "masked" as eval prints them, and the subject: "model_sha256", "text", "frozen_neurons"
/// (handling_text()), each masked entry with its "mask_sha256", and "overlap". `tasks` adds "tasks" to the
/// dense model and to each masked entry.
nlohmann::ordered_json evaluation_json(const PairedEvaluation& evaluation, const EvaluationSubject& subject,
                                       const TaskEvaluation* tasks = nullptr);

verdict::MeasuredQuality measured_quality(const Comparison& comparison, std::uint64_t tokens,
                                          const std::string& text, const FrozenHandling& handling);

/// The figures of a comparison under their keys, and back: one that is missing or null is not a number.
nlohmann::ordered_json comparison_json(const Comparison& comparison);
Comparison comparison_from_json(const nlohmann::json& json);

/// What the file says of a mask of a model. Errors: the file cannot be read or is none, is of another model, or has no such
/// mask.
Result<verdict::MeasuredQuality> read_measured_quality(const std::filesystem::path& path,
                                                       const std::string& model_sha256,
                                                       const std::string& mask_sha256);

} // namespace permafrost::quality
