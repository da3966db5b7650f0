// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/tasks.h"

#include "core/base/atomic_file.h"
#include "core/base/embedded_files.h"
#include "core/formats/strict_json.h"
#include "core/quality/paired_evaluation.h"
#include "core/text/corpus.h"

#include <algorithm>
#include <cmath>

namespace permafrost::quality {
namespace {

using nlohmann::json;

constexpr std::size_t most_choices = 26;
constexpr std::size_t longest_sequence = 4096;

char letter_of(std::size_t choice) { return static_cast<char>('A' + choice); }

/// One row of RFC 4180: quotes may hold commas, doubled quotes and line breaks. Empty at the end.
std::vector<std::string> next_row(std::string_view& content, std::size_t& line) {
    std::vector<std::string> cells(1);
    bool quoted = false, any = false;
    while (!content.empty()) {
        const char c = content.front();
        content.remove_prefix(1);
        any = true;
        if (c == '\n') ++line;
        if (quoted) {
            if (c != '"') {
                cells.back() += c;
            } else if (content.starts_with('"')) {
                cells.back() += '"';
                content.remove_prefix(1);
            } else {
                quoted = false;
            }
        } else if (c == '"' && cells.back().empty()) {
            quoted = true;
        } else if (c == ',') {
            cells.emplace_back();
        } else if (c == '\n') {
            break;
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    return any ? cells : std::vector<std::string>{};
}

Result<Question> question_of_row(const std::vector<std::string>& cells, const std::string& where) {
    if (cells.size() < 4 || cells.size() > most_choices + 2)
        return Error{where + ": a row has " + std::to_string(cells.size()) +
                     " columns; expected question, choices and the answer's letter"};
    Question question{cells.front(), {cells.begin() + 1, cells.end() - 1}, 0};
    const auto& answer = cells.back();
    const char letter =
        answer.size() == 1 ? static_cast<char>(std::toupper(static_cast<unsigned char>(answer[0]))) : ' ';
    if (letter < 'A' || static_cast<std::size_t>(letter - 'A') >= question.choices.size())
        return Error{where + ": the answer is \"" + answer.substr(0, 40) +
                     "\", which is none of the choices"};
    question.answer = static_cast<std::size_t>(letter - 'A');
    return question;
}

Result<Question> question_of_json(const json& object, const std::string& where) {
    const auto field = [&](const char* key) {
        return object.is_object() ? object.value(key, json()) : json();
    };
    const auto text = field("question"), choices = field("choices"), answer = field("answer");
    if (!text.is_string() || !choices.is_array() || choices.size() < 2 || choices.size() > most_choices)
        return Error{where + ": it needs \"question\", \"choices\" (2 to 26) and \"answer\""};
    Question question{text.get<std::string>(), {}, 0};
    for (const auto& choice : choices) {
        if (!choice.is_string()) return Error{where + ": a choice is no text"};
        question.choices.push_back(choice.get<std::string>());
    }
    std::size_t index = most_choices;
    if (answer.is_number_unsigned()) {
        index = answer.get<std::uint64_t>();
    } else if (answer.is_string()) {
        const auto& word = answer.get_ref<const std::string&>();
        index = static_cast<std::size_t>(std::find(question.choices.begin(), question.choices.end(), word) -
                                         question.choices.begin());
        if (index == question.choices.size() && word.size() == 1 && word[0] >= 'A')
            index = static_cast<std::size_t>(word[0] - 'A');
    }
    if (index >= question.choices.size()) return Error{where + ": the answer is none of the choices"};
    question.answer = index;
    return question;
}

std::string stem_of(const Question& question, bool by_letter) {
    std::string text = "Question: " + question.text + "\n";
    if (by_letter)
        for (std::size_t i = 0; i < question.choices.size(); ++i)
            text += std::string(1, letter_of(i)) + ". " + question.choices[i] + "\n";
    return text + "Answer:";
}

std::string ending_of(const Question& question, std::size_t choice, bool by_letter) {
    return " " + (by_letter ? std::string(1, letter_of(choice)) : question.choices[choice]);
}

/// The sequences of all questions and choices, and where the scored part of each begins.
struct TaskCorpus {
    text::Corpus corpus;
    std::vector<std::uint32_t>
        first_scored; ///< (sequence) the first position that predicts a token of the choice
};

Result<TaskCorpus> cut_tasks(const text::Tokenizer& tokenizer, const TaskSet& tasks,
                             const std::vector<Question>& examples) {
    std::string shots;
    for (const auto& example : examples)
        shots +=
            stem_of(example, tasks.by_letter) + ending_of(example, example.answer, tasks.by_letter) + "\n\n";
    TaskCorpus cut;
    cut.corpus.domains = {""};
    const bool leads = tokenizer.adds_bos() && tokenizer.bos();
    for (std::size_t number = 0; number < tasks.questions.size(); ++number) {
        const auto& question = tasks.questions[number];
        const auto stem = shots + stem_of(question, tasks.by_letter);
        const auto stem_size = tokenizer.encode(stem).size() + (leads ? 1 : 0);
        for (std::size_t choice = 0; choice < question.choices.size(); ++choice) {
            text::Sequence sequence;
            if (leads) sequence.tokens.push_back(*tokenizer.bos());
            const auto ids = tokenizer.encode(stem + ending_of(question, choice, tasks.by_letter));
            sequence.tokens.insert(sequence.tokens.end(), ids.begin(), ids.end());
            if (sequence.tokens.size() > longest_sequence)
                return Error{tasks.name + ": question " + std::to_string(number + 1) + " has " +
                             std::to_string(sequence.tokens.size()) + " tokens with its examples, at most " +
                             std::to_string(longest_sequence) + " are allowed"};
            if (sequence.tokens.size() <= stem_size || stem_size == 0)
                return Error{tasks.name + ": question " + std::to_string(number + 1) +
                             " has an empty choice"};
            cut.corpus.tokens += sequence.tokens.size();
            cut.first_scored.push_back(static_cast<std::uint32_t>(stem_size - 1));
            cut.corpus.sequences.push_back(std::move(sequence));
        }
    }
    return cut;
}

// (question) whether the choice with the largest mean log-likelihood is the right one; of equal ones the first counts.
std::vector<bool> answers(const TaskSet& tasks, const std::vector<double>& mean_log_likelihood) {
    std::vector<bool> right;
    std::size_t sequence = 0;
    for (const auto& question : tasks.questions) {
        std::size_t best = 0;
        for (std::size_t choice = 1; choice < question.choices.size(); ++choice)
            if (mean_log_likelihood[sequence + choice] > mean_log_likelihood[sequence + best]) best = choice;
        right.push_back(best == question.answer);
        sequence += question.choices.size();
    }
    return right;
}

// Sum of the binomial probabilities (n, 1/2) up to k, twice, at most 1.
double two_sided_sign_test(std::size_t k, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i <= k; ++i)
        sum += std::exp(std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(i) + 1) -
                        std::lgamma(static_cast<double>(n - i) + 1) - static_cast<double>(n) * std::log(2.0));
    return std::min(1.0, 2 * sum);
}

} // namespace

Result<TaskSet> parse_task_csv(std::string_view content, const std::string& where) {
    TaskSet tasks;
    tasks.by_letter = true;
    for (std::size_t line = 1, next = 1; !content.empty(); line = next) {
        const auto cells = next_row(content, next);
        const bool blank = cells.size() == 1 && cells.front().empty();
        const bool heading = line == 1 && !cells.empty() && cells.back() == "answer";
        if (blank || heading) continue;
        PERMAFROST_TRY(auto question, question_of_row(cells, where + ", line " + std::to_string(line)));
        tasks.questions.push_back(std::move(question));
    }
    if (tasks.questions.empty()) return Error{where + ": it has no question"};
    return tasks;
}

Result<TaskSet> parse_task_lines(std::string_view content, const std::string& where) {
    TaskSet tasks;
    for (std::size_t line = 1; !content.empty(); ++line) {
        const auto end = content.find('\n');
        const auto text = content.substr(0, end);
        content.remove_prefix(end == content.npos ? content.size() : end + 1);
        if (text.find_first_not_of(" \t\r") == text.npos) continue;
        const auto place = where + ", line " + std::to_string(line);
        PERMAFROST_TRY(const auto object, formats::parse_strictly(text, place));
        PERMAFROST_TRY(auto question, question_of_json(object, place));
        tasks.questions.push_back(std::move(question));
    }
    if (tasks.questions.empty()) return Error{where + ": it has no question"};
    return tasks;
}

Result<TaskSet> read_tasks(const std::string& path) {
    if (path == "builtin") {
        PERMAFROST_TRY(auto tasks, parse_task_lines(embedded::tasks(), "built-in tasks"));
        tasks.name = path;
        tasks.no_benchmark = true;
        return tasks;
    }
    PERMAFROST_TRY(const auto content, read_text_file(path, std::uint64_t{256} << 20));
    const auto first = content.find_first_not_of(" \t\r\n");
    const bool lines = first != content.npos && content[first] == '{';
    auto tasks = lines ? parse_task_lines(content, path) : parse_task_csv(content, path);
    if (tasks.ok()) tasks->name = std::filesystem::path(path).filename().string();
    return tasks;
}

Proportion proportion(std::size_t hits, std::size_t count) {
    Proportion result{hits, count, 0, 0, 1};
    if (count == 0) return result;
    constexpr double z = 1.959963984540054; // 97.5 % of the normal distribution
    const auto n = static_cast<double>(count);
    const double p = static_cast<double>(hits) / n;
    const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    result.share = p;
    result.low = std::max(0.0, centre - half);
    result.high = std::min(1.0, centre + half);
    return result;
}

Result<TaskEvaluation> evaluate_tasks(const formats::ModelFilePtr& file, const text::Tokenizer& tokenizer,
                                      const TaskSet& tasks, const std::vector<Question>& examples,
                                      const std::vector<MaskedModel>& variants,
                                      const EvaluationSettings& settings,
                                      const std::function<void(double share)>& progress,
                                      const std::stop_token& stop) {
    PERMAFROST_TRY(const auto cut, cut_tasks(tokenizer, tasks, examples));
    PERMAFROST_TRY(const auto scores, mean_log_likelihoods(file, cut.corpus, cut.first_scored, variants,
                                                           settings, progress, stop));
    const auto dense = answers(tasks, scores[0]);
    const auto count_right = [](const std::vector<bool>& right) {
        return static_cast<std::size_t>(std::count(right.begin(), right.end(), true));
    };
    TaskEvaluation result{
        tasks.name, tasks.no_benchmark, examples.size(), proportion(count_right(dense), dense.size()), {}};
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const auto masked = answers(tasks, scores[i + 1]);
        TaskComparison comparison{variants[i].name, proportion(count_right(masked), masked.size()), 0, 0, 1};
        for (std::size_t question = 0; question < dense.size(); ++question) {
            comparison.only_dense += dense[question] && !masked[question] ? 1 : 0;
            comparison.only_masked += masked[question] && !dense[question] ? 1 : 0;
        }
        comparison.p_value = two_sided_sign_test(std::min(comparison.only_dense, comparison.only_masked),
                                                 comparison.only_dense + comparison.only_masked);
        result.masked.push_back(std::move(comparison));
    }
    return result;
}

} // namespace permafrost::quality
