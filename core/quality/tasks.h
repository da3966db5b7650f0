// SPDX-License-Identifier: GPL-3.0-or-later
//
// Multiple choice: questions whose answer a model chooses by log-likelihood.
#pragma once

#include "core/base/result.h"
#include "core/formats/model_file.h"
#include "core/quality/evaluation.h"
#include "core/text/tokenizer.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace permafrost::quality {

struct Question {
    std::string text;
    std::vector<std::string> choices; ///< two to 26
    std::size_t answer = 0;           ///< index of the right choice
};

struct TaskSet {
    std::string name; ///< the file's name, or "builtin"
    std::vector<Question> questions;
    /// Choices are listed as "A. …" before "Answer:", and the letter is scored, as MMLU does it; otherwise the text of each choice
    /// is scored, by its mean log-likelihood a token.
    bool by_letter = false;
    bool no_benchmark = false; ///< the set that comes with the program: for trying it out
};

/// MMLU's CSV (question, A, B, C, D, answer as letter; no heading needed), or JSON lines with "question", "choices" and "answer"
/// (index, letter or text). "builtin" is the set that comes with the program. Errors name file and line: a row with another
/// number of columns, an answer that is no choice, no question at all.
Result<TaskSet> read_tasks(const std::string& path);
Result<TaskSet> parse_task_csv(std::string_view content, const std::string& where);
Result<TaskSet> parse_task_lines(std::string_view content, const std::string& where);

/// A share with its 95 % interval after Wilson, "Probable inference", 1927.
struct Proportion {
    std::size_t hits = 0, count = 0;
    double share = 0, low = 0, high = 0;
};
Proportion proportion(std::size_t hits, std::size_t count);

/// How a masked model answers beside the dense one.
struct TaskComparison {
    std::string name;
    Proportion accuracy;
    std::size_t only_dense = 0, only_masked = 0; ///< questions that only one of the two answers rightly
    /// Two-sided exact McNemar test: how likely so uneven a split is when masking changes nothing (1: no sign of a change).
    double p_value = 1;
};

struct TaskEvaluation {
    std::string name;
    bool no_benchmark = false;
    std::size_t shots = 0;
    Proportion dense;
    std::vector<TaskComparison> masked; ///< in the order of the variants
};

/// All questions through the dense model and the variants in one pass; `examples` (of the same form) go before each question.
/// Errors: as evaluate_paired(); a question longer than 4096 tokens.
Result<TaskEvaluation> evaluate_tasks(const formats::ModelFilePtr& file, const text::Tokenizer& tokenizer,
                                      const TaskSet& tasks, const std::vector<Question>& examples,
                                      const std::vector<MaskedModel>& variants,
                                      const EvaluationSettings& settings,
                                      const std::function<void(double share)>& progress = {},
                                      const std::stop_token& stop = {});

} // namespace permafrost::quality
