// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/stability.h"
#include "core/profile/stability_text.h"

#include <QtTest>

#include <cmath>
#include <set>

using namespace permafrost::profile;

namespace {

const StabilityGoal goal{0.9, 0.01, 2};
const StabilityPoint agreeing{100, 10, 10, 10, 0};
const StabilityPoint differing{100, 10, 10, 5, 0};
const StabilityPoint nothing{100, 0, 0, 0, 0};

Stability of(std::vector<StabilityPoint> curve) { return {"variance", goal, 50, 1000, std::move(curve)}; }

bool contains(const std::string& text, const std::string& words) { return text.find(words) != text.npos; }

} // namespace

class TestStability : public QObject {
    Q_OBJECT

  private slots:
    void jaccard_is_the_shared_part_of_what_either_half_freezes() {
        QCOMPARE((StabilityPoint{1, 4, 3, 2, 0}).jaccard(), 2.0 / 5.0);
        QCOMPARE((StabilityPoint{1, 3, 3, 3, 0}).jaccard(), 1.0);
        QCOMPARE((StabilityPoint{1, 3, 0, 0, 0}).jaccard(), 0.0);
    }

    void two_halves_that_freeze_nothing_show_nothing() {
        QCOMPARE(nothing.jaccard(), 0.0);
        QVERIFY(!goal.met_by(nothing));
        QVERIFY(!(StabilityGoal{0, 1, 1}).met_by(nothing));
        const std::vector<StabilityPoint> curve(5, nothing);
        QVERIFY(!goal.reached_by(curve));
        QVERIFY(contains(sentence(of(curve)), "froze no neuron in either half"));
    }

    void both_limits_are_included() {
        QVERIFY(goal.met_by({1, 10, 10, 10, 0.01}));
        QVERIFY(!goal.met_by({1, 10, 10, 10, 0.0100001}));
        QVERIFY(goal.met_by({1, 10, 9, 9, 0}));
        QVERIFY(!goal.met_by({1, 11, 9, 9, 0}));
    }

    void the_goal_is_met_by_the_last_waves_in_a_row() {
        const auto reached = [](std::vector<StabilityPoint> curve) { return goal.reached_by(curve); };
        QVERIFY(!reached({}));
        QVERIFY(!reached({agreeing}));
        QVERIFY(reached({agreeing, agreeing}));
        QVERIFY(reached({differing, nothing, agreeing, agreeing}));
        QVERIFY(!reached({agreeing, differing, agreeing}));
        QVERIFY(!reached({agreeing, agreeing, differing}));
    }

    void a_sentence_says_how_many_tokens_it_took() {
        const auto stable = sentence(of({{60, 10, 10, 10, 0}, {120, 10, 10, 10, 0.001}}));
        QVERIFY2(stable.starts_with("stable after 120 of 1000 tokens: rule variance froze 10 and 10 neurons"),
                 stable.c_str());
        QVERIFY(sentence(of({differing})).starts_with("not stable after 100 of 1000 tokens"));
    }

    void the_order_takes_each_piece_once_and_halves_in_turn() {
        for (std::uint32_t count = 0; count < 300; ++count) {
            const auto order = spread_order(count);
            QCOMPARE(order.size(), std::size_t{count});
            QCOMPARE((std::set<std::uint32_t>(order.begin(), order.end()).size()), std::size_t{count});
            for (std::uint32_t place = 0; place < count; ++place) {
                QVERIFY(order[place] < count);
                QCOMPARE(order[place] % 2, place % 2);
            }
        }
    }

    // Of a text whose quarters have subjects of their own, each half has seen each to a like share, however early it ends.
    void the_order_is_spread_evenly_over_the_text() {
        for (std::uint32_t count = 1; count < 300; ++count) {
            const auto order = spread_order(count);
            for (std::uint32_t half = 0; half < 2; ++half) {
                double in_quarter[4] = {};
                double taken = 0;
                for (std::uint32_t place = half; place < count; place += 2) {
                    in_quarter[4 * order[place] / count] += 1;
                    taken += 1;
                    for (const double number : in_quarter) QVERIFY(std::fabs(number - taken / 4) <= 3);
                }
            }
        }
    }

    void the_text_of_a_profile_gives_it_back() {
        auto stability = of({{60, 10, 11, 9, 1.0 / 3}, {1000, 50, 50, 50, 0}});
        stability.rule = "quantile:0.05 \"\\ \xc3\xa4";
        const auto parsed = parse_stability(stability_text(stability));
        QVERIFY(parsed.has_value());
        QVERIFY(*parsed == stability);
    }

    void a_text_that_makes_no_sense_is_refused_data() {
        QTest::addColumn<QByteArray>("text");
        const QByteArray good =
            R"({"rule":"v","jaccard":0.9,"share":0.01,"waves":3,"neurons":50,"tokens_at_hand":100,"curve":[[10,5,5,5,0]]})";
        QVERIFY(parse_stability(good.toStdString()).has_value());
        const auto row = [&](const char* name, const char* from, const char* to) {
            QByteArray text = good;
            text.replace(from, to);
            QVERIFY(text != good);
            QTest::newRow(name) << text;
        };
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a list") << QByteArray("[1,2]");
        row("cut off", "]]}", "]]");
        row("no waves", "\"waves\":3", "\"waves\":0");
        row("waves of another kind", "\"waves\":3", "\"waves\":-3");
        row("too many waves", "\"waves\":3", "\"waves\":4294967296");
        row("a share above one", "\"jaccard\":0.9", "\"jaccard\":1.9");
        row("a share that is text", "\"share\":0.01", "\"share\":\"0.01\"");
        row("no rule", "\"rule\"", "\"role\"");
        row("more neurons than a model may have", "\"neurons\":50", "\"neurons\":18446744073709551615");
        row("a curve that is a number", "[[10,5,5,5,0]]", "7");
        row("a short point", "[10,5,5,5,0]", "[10,5,5,5]");
        row("more frozen than there are", "[10,5,5,5,0]", "[10,51,5,5,0]");
        row("more in both than in one", "[10,5,5,5,0]", "[10,5,5,6,0]");
        row("more tokens than there are", "[10,5,5,5,0]", "[101,5,5,5,0]");
        row("no tokens", "[10,5,5,5,0]", "[0,5,5,5,0]");
        row("tokens that fall", "[10,5,5,5,0]", "[10,5,5,5,0],[9,5,5,5,0]");
        row("a difference below zero", "[10,5,5,5,0]", "[10,5,5,5,-0.1]");
    }
    void a_text_that_makes_no_sense_is_refused() {
        QFETCH(QByteArray, text);
        QVERIFY(!parse_stability(text.toStdString()).has_value());
    }
};

QTEST_APPLESS_MAIN(TestStability)
#include "tst_stability.moc"
