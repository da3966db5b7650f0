// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/benchmark_result.h"
#include "widgets/benchmark_table.h"
#include "widgets/numbers.h"

#include <QTest>

using namespace permafrost;
using namespace permafrost::widgets;

namespace {

constexpr BenchmarkConditions generating{false, 1, 4};

BenchmarkRow row(BenchmarkWay way, int percent = 0, const char* mask = "", double speedup = 1,
                 BenchmarkConditions conditions = generating) {
    BenchmarkRow result;
    result.conditions = conditions;
    result.way = way;
    result.percent = percent;
    result.mask = mask;
    result.speed.seconds = 0.002;
    result.speed.fastest = 0.001;
    result.speed.slowest = 0.002;
    result.speed.bytes = 8e6;
    result.speed.operations = 4e7;
    result.speed.speedup = speedup;
    return result;
}

QStringList names(const std::vector<BenchmarkRow>& rows, const std::string& mask) {
    QStringList result;
    for (const auto& each : rows) result.append(name_of(each, mask));
    return result;
}

} // namespace

class TestBenchmarkResult : public QObject {
    Q_OBJECT

  private slots:
    void a_newer_row_takes_the_place_of_the_same_subject() {
        BenchmarkResults results;
        results.add({row(BenchmarkWay::Masked, 10, "", 1.1), row(BenchmarkWay::Masked, 20)});
        results.add({row(BenchmarkWay::Masked, 10, "", 1.2)});
        QCOMPARE(results.rows.size(), std::size_t{2});
        QCOMPARE(results.rows.back().speed.speedup, 1.2);
        results.add({row(BenchmarkWay::Masked, 10, "", 1.3, {false, 256, 4})}); // other conditions
        QCOMPARE(results.rows.size(), std::size_t{3});
    }

    void rows_are_shown_dense_first_then_the_mask_then_shares_then_widths() {
        BenchmarkResults results;
        results.add({row(BenchmarkWay::Width, 50), row(BenchmarkWay::Compacted, 20),
                     row(BenchmarkWay::Width, 75), row(BenchmarkWay::Masked, 20),
                     row(BenchmarkWay::Masked, 5), row(BenchmarkWay::Masked, 0, "now"),
                     row(BenchmarkWay::Masked, 0, "before"), row(BenchmarkWay::Fused),
                     row(BenchmarkWay::TwoProducts), row(BenchmarkWay::Fused, 0, "", 1, {true, 1, 4})});
        const auto zero = percent(0);
        QCOMPARE(names(results.shown(generating, "now"), "now"),
                 (QStringList{QStringLiteral("dense, two products"), QStringLiteral("dense, fused"),
                              QStringLiteral("masked, present mask, ") + zero,
                              QStringLiteral("masked, ") + percent(0.05, 0),
                              QStringLiteral("masked, ") + percent(0.2, 0),
                              QStringLiteral("compacted, ") + percent(0.2, 0),
                              percent(0.75, 0) + QStringLiteral(" of the width"),
                              percent(0.5, 0) + QStringLiteral(" of the width")}));
        // The newest of those that were measured, when the present one was not; also when there is no present one.
        for (const char* present : {"other", ""})
            QCOMPARE(names(results.shown(generating, present), present)[2],
                     QString(QStringLiteral("masked, earlier mask, ") + zero));
        QCOMPARE(results.shown(generating, "other")[2].mask, std::string("before"));
    }

    void the_card_takes_the_better_way_generating_with_most_threads() {
        BenchmarkResults results;
        QVERIFY(!measured_speed(results, "now"));
        results.add({row(BenchmarkWay::Compacted, 50, "", 1.9), row(BenchmarkWay::Masked, 0, "now", 1.1),
                     row(BenchmarkWay::Compacted, 0, "now", 1.25),
                     row(BenchmarkWay::Compacted, 0, "now", 1.4, {false, 1, 1}),
                     row(BenchmarkWay::Compacted, 0, "now", 1.5, {false, 256, 4}),
                     row(BenchmarkWay::Compacted, 0, "later", 1.3)});
        results.ffn_share = 0.5;
        const auto now = measured_speed(results, "now");
        QCOMPARE(now->row.speed.speedup, 1.25);
        QVERIFY(!now->earlier);
        QCOMPARE(*now->model_speedup, 1 / (0.5 + 0.5 / 1.25));
        const auto other = measured_speed(results, "none of these");
        QCOMPARE(other->row.mask, std::string("later"));
        QVERIFY(other->earlier);
        results.ffn_share = 1; // not known
        QVERIFY(!measured_speed(results, "now")->model_speedup);
    }

    void a_prompt_says_nothing_of_a_model_that_generates() {
        BenchmarkResults results;
        results.ffn_share = 0.5;
        results.add({row(BenchmarkWay::Masked, 0, "now", 1.5, {false, 256, 4})});
        QCOMPARE(measured_speed(results, "now")->row.conditions.tokens, std::size_t{256});
        QVERIFY(!measured_speed(results, "now")->model_speedup);
    }

    void the_limit_is_the_rate_that_bounds() {
        auto timed = row(BenchmarkWay::Fused); // 4 GB/s, 20 GFLOP/s
        timed.stream_gbps = 5;
        timed.gemm_gflops = 100;
        QCOMPARE(timed.share_of_limit(), 0.8);
        QVERIFY(timed.is_bound_by_memory());
        timed.conditions.tokens = 100; // the same weights for a hundred tokens: 0.04 GB/s
        QCOMPARE(timed.share_of_limit(), 0.2);
        QVERIFY(!timed.is_bound_by_memory());
        QCOMPARE(timed.spread(), 0.5);
    }

    void short_times_have_three_digits() {
        const auto plain = [](double seconds) { return short_time(seconds).replace(QChar(0xa0), u' '); };
        QCOMPARE(plain(1.234e-6), QStringLiteral("1.23 µs"));
        QCOMPARE(plain(812.3e-6), QStringLiteral("812 µs"));
        QCOMPARE(plain(999.9e-6), QStringLiteral("1.00 ms"));
        QCOMPARE(plain(12.34e-3), QStringLiteral("12.3 ms"));
        QCOMPARE(plain(1.5), QStringLiteral("1.50 s"));
        QCOMPARE(plain(-1), QStringLiteral("–"));
    }
};

QTEST_APPLESS_MAIN(TestBenchmarkResult)
#include "tst_benchmark_result.moc"
