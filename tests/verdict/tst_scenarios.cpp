// SPDX-License-Identifier: GPL-3.0-or-later
//
// The seeds' tree with figures made up for the test, each way through it.
#include "core/verdict/scenarios.h"

#include <QtTest>

#include <cmath>

using namespace permafrost::verdict;

namespace {

/// Many questions, so that small losses show.
AccuracyLoss exactly(double loss) { return {loss, 0.0001, 100'000, 60'000}; }

ScenarioMeasured variant(double task_loss, double speedup = 1.5, std::uint64_t frozen = 100) {
    return {exactly(task_loss), std::nullopt, speedup, frozen};
}

Scenario chosen(double a, double b, double c, double speed_of_c = 1.5, std::uint64_t frozen_of_c = 100) {
    return walk_scenarios(variant(a), variant(b), variant(c, speed_of_c, frozen_of_c), 1.2).chosen();
}

} // namespace

class TestScenarios : public QObject {
    Q_OBJECT

  private slots:
    void the_first_scenario_within_its_limit_is_taken() {
        QVERIFY(chosen(0.004, 0.5, 0.5) == Scenario::A);
        QVERIFY(chosen(-0.01, 0.5, 0.5) == Scenario::A);
        QVERIFY(chosen(0.004, 0.01, 0.001) == Scenario::A); // though B would do
        QVERIFY(chosen(0.006, 0.019, 0.001) == Scenario::B);
        QVERIFY(chosen(0.006, 0.021, 0.001) == Scenario::C);
        QVERIFY(chosen(0.006, 0.021, 0.006) == Scenario::D);
        QVERIFY(chosen(NAN, NAN, NAN) == Scenario::D);
    }

    void the_hybrid_must_save_time_and_freeze_something() {
        QVERIFY(chosen(0.5, 0.5, 0, 1.2) == Scenario::D);
        QVERIFY(chosen(0.5, 0.5, 0, 1.5, 0) == Scenario::D);
    }

    void the_path_has_each_step_with_its_reason() {
        const auto path = walk_scenarios(variant(0.006), variant(0.021), variant(0.006), 1.2);
        QCOMPARE(path.steps.size(), std::size_t{4});
        QVERIFY(path.certain());
        for (std::size_t i = 0; i < 4; ++i) {
            QVERIFY(path.steps[i].scenario == scenarios[i]);
            QCOMPARE(path.steps[i].taken, i == 3);
            QVERIFY(!path.steps[i].reason.empty());
        }
        QCOMPARE(path.steps[0].reason,
                 std::string(
                     "0.60 % +/- 0.01 % of the accuracy lost on 100000 questions, limit 0.5 %: not taken."));
    }

    void few_questions_need_the_text_to_agree() {
        const auto few = loss_of_answers(20, 43, 1, 1); // no loss, but one question is 5 % of the right ones
        QVERIFY(few && !few->resolves(0.005));
        ScenarioMeasured a{few, exactly(0.3), 1.5, 100};
        const auto none = variant(0.5);
        auto path = walk_scenarios(a, none, none, 1.2);
        QVERIFY(!path.steps[0].taken);
        QVERIFY(path.steps[0].reason.find("too few") != std::string::npos);
        a.tokens = exactly(0.001);
        path = walk_scenarios(a, none, none, 1.2);
        QVERIFY(path.steps[0].taken);
        QVERIFY(!path.certain()); // the text is a stand-in
    }

    void a_loss_near_the_limit_is_not_certain() {
        ScenarioMeasured a = variant(0.004);
        a.tasks->error = 0.002;
        QVERIFY(!walk_scenarios(a, a, a, 1.2).certain());
        a.tasks->error = 0.0004;
        QVERIFY(walk_scenarios(a, a, a, 1.2).certain());
    }

    void without_questions_the_next_token_stands_in() {
        ScenarioMeasured a{std::nullopt, exactly(0.001), 1.5, 100};
        const auto path = walk_scenarios(a, a, a, 1.2);
        QVERIFY(path.chosen() == Scenario::A);
        QVERIFY(path.steps[0].reason.find("stand-in") != std::string::npos);
        QVERIFY(walk_scenarios({}, {}, {}, 1.2).chosen() == Scenario::D);
        QVERIFY(!walk_scenarios({}, {}, {}, 1.2).certain());
    }

    void errors_are_those_of_paired_answers() {
        // By hand: 8 only dense, 3 only the variant, of 100 questions, 50 right.
        const auto loss = loss_of_answers(50, 100, 8, 3);
        QCOMPARE(loss->loss, 0.1);
        // Sample variance of 100 differences: 8 of +1, 3 of -1, 89 of 0.
        double squares = 0;
        for (int i = 0; i < 100; ++i) {
            const double difference = i < 8 ? 1 : i < 11 ? -1 : 0;
            squares += (difference - 0.05) * (difference - 0.05);
        }
        QVERIFY(std::abs(loss->error - std::sqrt(squares) / 50) < 1e-12);
        QVERIFY(!loss_of_answers(0, 100, 0, 3));
        QCOMPARE(loss_of_answers(50, 100, 0, 0)->error, 1.0 / 50); // one question
    }
};

QTEST_APPLESS_MAIN(TestScenarios)
#include "tst_scenarios.moc"
