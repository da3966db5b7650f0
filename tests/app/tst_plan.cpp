// SPDX-License-Identifier: GPL-3.0-or-later
//
// The planner on the demo model, and its commands as a shell runs them.
#include "tests/app/command_line.h"

#include <QJsonArray>
#include <QtTest>

using namespace permafrost;
using test::run;

class TestPlan : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QJsonObject plan_;

    test::Outcome here(const QStringList& arguments) const { return run(folder_.path(), arguments); }
    QString path(const QString& name) const { return folder_.filePath(name); }
    const QStringList options_{"--profile", "demo.frost", "--context", "64", "--windows", "4",
                               "--repeats", "1",          "--threads", "1",  "--quiet"};

  private slots:
    void initTestCase() {
        EXITS(here({"profile", "demo", "--num-prompts", "20", "-o", "demo.frost", "--quiet"}), 0);
        const auto outcome = here(QStringList{"plan", "demo", "--tasks", "builtin", "--rule", "impact:0.1",
                                              "--no-guard", "-o", "plan.json", "--json"} +
                                  options_);
        EXITS(outcome, 0);
        plan_ = outcome.json();
        QCOMPARE(QJsonDocument::fromJson(test::content(path("plan.json"))).object(), plan_);
    }

    void it_ends_with_a_scenario_and_measured_figures() {
        const auto steps = plan_["steps"].toArray();
        QVERIFY(!steps.isEmpty());
        QVERIFY(steps.last().toObject()["taken"].toBool());
        QCOMPARE(steps.last().toObject()["scenario"], plan_["scenario"]);
        QCOMPARE(plan_["variants"].toArray().size(), 3);
        for (const auto& each : plan_["variants"].toArray()) {
            const auto variant = each.toObject();
            QVERIFY(variant["text"].toObject()["ppl"].toDouble() > 1);
            QVERIFY(variant["task_loss"].toObject()["count"].toInt() > 0);
            QCOMPARE(variant["speed"].toArray().size(), 4);
            for (const auto& speed : variant["speed"].toArray())
                QVERIFY(speed.toObject()["speedup"].toDouble() > 0);
        }
    }

    void its_commands_export_the_model() {
        for (const auto& each : plan_["variants"].toArray()) {
            const auto letter = each.toObject()["scenario"].toString();
            for (const auto& command : each.toObject()["commands"].toArray()) {
                auto words = QProcess::splitCommand(command.toString());
                QCOMPARE(words.takeFirst(), QString("permafrost-cli"));
                EXITS(here(words), 0);
            }
            EXITS(here({"inspect", "scenario-" + letter + "/smaller.gguf"}), 0);
        }
    }

    void text_for_people_has_units_and_the_way() {
        const auto outcome = here(QStringList{"plan", "demo"} + options_);
        EXITS(outcome, 0);
        for (const char* words : {"GB/s", "MB", "perplexity", "stand-in", "Scenario "})
            QVERIFY2(outcome.out.contains(words), words);
    }

    void what_makes_no_sense_is_refused() {
        EXITS(here({"plan", "demo"}), 2);
        EXITS(here(QStringList{"plan", "demo", "--shots", "-1"} + options_), 2);
        for (const QStringList& wrong :
             {QStringList{"--tasks", "missing.csv"}, QStringList{"--layers", "5-99"},
              QStringList{"--tasks", "builtin", "--shots", "99"}, QStringList{"-o", "demo.frost"}}) {
            const auto outcome = here(QStringList{"plan", "demo"} + options_ + wrong);
            EXITS(outcome, 1);
            QVERIFY2(outcome.one_sentence(), outcome.err.constData());
        }
    }
};

QTEST_APPLESS_MAIN(TestPlan)
#include "tst_plan.moc"
