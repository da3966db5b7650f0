// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_config.h"
#include "core/quality/dense_evaluation.h"
#include "core/quality/masked_model.h"
#include "core/quality/tasks.h"

#include <QtTest>

#include <cmath>

using namespace permafrost;
using quality::parse_task_csv;
using quality::parse_task_lines;
using quality::proportion;

class TestTasks : public QObject {
    Q_OBJECT

  private slots:
    void csv_is_read_as_mmlu_writes_it() {
        const auto tasks =
            parse_task_csv("\"Say \"\"x\"\", then\ny\",1,\"2, or 3\",4,5,B\r\n\nWhat?,a,b,c,d,D\n", "x.csv");
        QVERIFY2(tasks.ok(), tasks.message().c_str());
        QVERIFY(tasks->by_letter);
        QCOMPARE(tasks->questions.size(), std::size_t{2});
        QCOMPARE(tasks->questions[0].text, std::string("Say \"x\", then\ny"));
        QCOMPARE(tasks->questions[0].choices[1], std::string("2, or 3"));
        QCOMPARE(tasks->questions[0].answer, std::size_t{1});
        QCOMPARE(tasks->questions[1].answer, std::size_t{3});
        QCOMPARE(parse_task_csv("question,A,B,C,D,answer\nq,1,2,3,4,A", "x")->questions.size(),
                 std::size_t{1});
    }

    void lines_are_read_with_every_kind_of_answer() {
        const auto tasks = parse_task_lines(R"({"question": "q", "choices": ["x", "y"], "answer": 1}
{"question": "q", "choices": ["x", "y"], "answer": "y"}

{"question": "q", "choices": ["x", "y"], "answer": "B"})",
                                            "x.jsonl");
        QVERIFY2(tasks.ok(), tasks.message().c_str());
        QCOMPARE(tasks->questions.size(), std::size_t{3});
        for (const auto& question : tasks->questions) QCOMPARE(question.answer, std::size_t{1});
    }

    void what_makes_no_sense_is_refused_with_its_line() {
        for (const char* csv : {"", "\n\n", "q,a,b", "q,1,2,3,4,E", "q,1,2,3,4,"})
            QVERIFY(!parse_task_csv(csv, "x.csv").ok());
        QVERIFY(parse_task_csv("q,1,2,3,4,A\nq,1,2,3,4,Z", "x.csv").message().find("x.csv, line 2") == 0);
        for (const char* lines :
             {"", "[]", "{\"question\": \"q\"}", "{\"question\": \"q\", \"choices\": [\"x\"], \"answer\": 0}",
              "{\"question\": \"q\", \"choices\": [\"x\", \"y\"], \"answer\": 2}",
              "{\"question\": \"q\", \"choices\": [\"x\", 3], \"answer\": 0}", "{"})
            QVERIFY(!parse_task_lines(lines, "x.jsonl").ok());
        QVERIFY(!quality::read_tasks("/nowhere/tasks.csv").ok());
    }

    // R: prop.test(8, 10, correct = FALSE); prop.test(0, 20, correct = FALSE)
    void the_interval_is_wilsons() {
        const auto most = proportion(8, 10);
        QVERIFY(std::fabs(most.low - 0.4901625) < 1e-6 && std::fabs(most.high - 0.9433178) < 1e-6);
        const auto none = proportion(0, 20);
        QVERIFY(none.low == 0 && std::fabs(none.high - 0.1611252) < 1e-6);
        QCOMPARE(proportion(0, 0).high, 1.0);
    }

    // Against each question's log-probabilities from a run of its own.
    void answers_are_those_of_plain_runs() {
        const auto file = formats::open_model_file("demo").value();
        const auto tokenizer = model::read_tokenizer(*file).value();
        auto tasks = quality::read_tasks("builtin").value();
        QVERIFY(tasks.no_benchmark);
        tasks.questions.resize(12);
        std::size_t right = 0;
        for (const auto& question : tasks.questions) {
            std::vector<double> means;
            for (const auto& choice : question.choices) {
                const auto stem = "Question: " + question.text + "\nAnswer:";
                const auto stem_ids = tokenizer->encode(stem);
                auto ids = tokenizer->encode(stem + " " + choice);
                const std::size_t lead = tokenizer->adds_bos() ? 1 : 0;
                if (lead) ids.insert(ids.begin(), *tokenizer->bos());
                const auto logs = quality::next_token_log_probabilities(file, ids, 1).value();
                const std::size_t vocabulary = logs.size() / ids.size();
                double sum = 0;
                for (std::size_t t = stem_ids.size() + lead; t < ids.size(); ++t)
                    sum += static_cast<double>(logs[(t - 1) * vocabulary + static_cast<std::size_t>(ids[t])]);
                means.push_back(sum / static_cast<double>(ids.size() - stem_ids.size() - lead));
            }
            right += static_cast<std::size_t>(std::max_element(means.begin(), means.end()) - means.begin()) ==
                     question.answer;
        }
        const auto config = model::read_model_config(*file).value();
        masks::Bitmask all(config.intermediate[4]);
        for (std::size_t i = 0; i < all.size(); ++i) all.set(i);
        const auto nothing = quality::masked_model("nothing", {}, config.intermediate).value();
        const auto broken = quality::masked_model("broken", {{4, all}}, config.intermediate).value();
        const auto result = quality::evaluate_tasks(file, *tokenizer, tasks, {}, {nothing, broken}, {});
        QVERIFY2(result.ok(), result.message().c_str());
        QCOMPARE(result->dense.hits, right);
        QCOMPARE(result->masked[0].accuracy.hits, right);
        QCOMPARE(result->masked[0].only_dense + result->masked[0].only_masked, std::size_t{0});
        QCOMPARE(result->masked[0].p_value, 1.0);
        QCOMPARE(result->masked[1].accuracy.hits,
                 right - result->masked[1].only_dense + result->masked[1].only_masked);
        // Examples change the prompt, by letter or not.
        tasks.by_letter = true;
        const auto shot = quality::evaluate_tasks(file, *tokenizer, tasks, {tasks.questions[0]}, {}, {});
        QVERIFY2(shot.ok(), shot.message().c_str());
        QCOMPARE(shot->shots, std::size_t{1});
    }

    void too_long_a_question_is_refused() {
        const auto file = formats::open_model_file("demo").value();
        const auto tokenizer = model::read_tokenizer(*file).value();
        quality::TaskSet tasks{"x", {{std::string(30000, 'a'), {"b", "c"}, 0}}, false, false};
        QVERIFY(quality::evaluate_tasks(file, *tokenizer, tasks, {}, {}, {}).message().find("question 1") !=
                std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestTasks)
#include "tst_tasks.moc"
