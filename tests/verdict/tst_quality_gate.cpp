// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/quality_gate.h"

#include <QtTest>

#include <cmath>

using namespace permafrost::verdict;

class TestQualityGate : public QObject {
    Q_OBJECT

    static MeasuredQuality measured(double retained, double retained_error, double kl, double kl_error) {
        MeasuredQuality quality;
        quality.accuracy_retained = retained;
        quality.accuracy_retained_error = retained_error;
        quality.kl_mean = kl;
        quality.kl_mean_error = kl_error;
        quality.tokens = 2040;
        return quality;
    }

  private slots:
    void what_is_not_measured_neither_passes_nor_blocks() {
        const auto gate = judge_quality({});
        QCOMPARE(gate.state, GateState::NotMeasured);
        QVERIFY(!is_blocked(Verdict::Proceed, gate));
        QCOMPARE(one_sentence(gate), std::string("Quality is not measured."));
        QCOMPARE(judge_quality(MeasuredQuality{}).state, GateState::NotMeasured); // no token
    }

    void limits_decide_data() {
        QTest::addColumn<double>("retained");
        QTest::addColumn<double>("kl");
        QTest::addColumn<bool>("passes");
        QTest::newRow("identical") << 1.0 << 0.0 << true;
        QTest::newRow("at both limits") << 0.995 << 0.01 << true;
        QTest::newRow("accuracy below") << 0.9949 << 0.0 << false;
        QTest::newRow("KL above") << 1.0 << 0.0101 << false;
        QTest::newRow("no number") << std::nan("") << 0.0 << false;
        QTest::newRow("KL no number") << 1.0 << std::nan("") << false;
    }
    void limits_decide() {
        QFETCH(double, retained);
        QFETCH(double, kl);
        QFETCH(bool, passes);
        const auto gate = judge_quality(measured(retained, 0, kl, 0));
        QCOMPARE(gate.state == GateState::Passed, passes);
        QCOMPARE(is_blocked(Verdict::Proceed, gate), !passes);
        QCOMPARE(is_blocked(Verdict::Conditional, gate), !passes);
        QVERIFY(!is_blocked(Verdict::Skip, gate)); // nothing was recommended
    }

    void too_few_tokens_are_said() {
        QVERIFY(judge_quality(measured(0.997, 0.002, 0.001, 0)).uncertain);
        QVERIFY(!judge_quality(measured(0.997, 0.0005, 0.001, 0)).uncertain);
        QVERIFY(judge_quality(measured(1, 0, 0.012, 0.002)).uncertain);
        QVERIFY(one_sentence(judge_quality(measured(1, 0, 0.012, 0.002))).find("too few to be sure") !=
                std::string::npos);
        // One limit is missed for sure; that the other is near does not matter.
        const auto gate = judge_quality(measured(0.5, 0.01, 0.012, 0.002));
        QCOMPARE(gate.state, GateState::Failed);
        QVERIFY(!gate.uncertain);
    }

    void limits_can_be_set() {
        const QualityLimits lenient{0.9, 0.5};
        QCOMPARE(judge_quality(measured(0.92, 0, 0.4, 0), lenient).state, GateState::Passed);
    }
};

QTEST_APPLESS_MAIN(TestQualityGate)
#include "tst_quality_gate.moc"
