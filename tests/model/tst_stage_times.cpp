// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/stage_times.h"

#include <QtTest>

#include <set>
#include <thread>

using namespace permafrost;
using model::Stage;
using std::chrono::milliseconds;

namespace {

constexpr double rounding = 1e-9;

double seconds_between(model::StageTimes::Clock::time_point a, model::StageTimes::Clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

} // namespace

// Sleeping takes at least as long as it says, whatever else the machine does; nothing here depends on how much longer.
class TestStageTimes : public QObject {
    Q_OBJECT

  private slots:
    void stages_have_names_of_their_own() {
        std::set<std::string_view> keys, titles;
        for (std::size_t i = 0; i < model::stage_count; ++i) {
            keys.insert(model::stage_key(Stage{i}));
            titles.insert(model::stage_title(Stage{i}));
        }
        QCOMPARE(keys.size(), model::stage_count);
        QCOMPARE(titles.size(), model::stage_count);
        QVERIFY(!keys.contains(""));
        QVERIFY(!titles.contains(""));
    }

    void stages_add_up_to_the_wall_time_of_all_threads_data() {
        QTest::addColumn<int>("threads");
        for (const int threads : {1, 2, 3}) QTest::addRow("%d threads", threads) << threads;
    }
    void stages_add_up_to_the_wall_time_of_all_threads() {
        QFETCH(int, threads);
        ThreadPool pool(static_cast<std::size_t>(threads));
        const auto before = model::StageTimes::Clock::now();
        model::StageTimes times(pool);
        const auto began = model::StageTimes::Clock::now();
        {
            const model::StageTimes::Section section(&times, Stage::Weights);
            std::this_thread::sleep_for(milliseconds(3));
            pool.parallel_for(4,
                              [](std::size_t, std::size_t) { std::this_thread::sleep_for(milliseconds(2)); });
        }
        pool.parallel_for(5, [&](std::size_t, std::size_t thread) {
            model::StageTimer timer(&times, thread);
            std::this_thread::sleep_for(milliseconds(2));
            timer.end(Stage::FfnProducts);
            std::this_thread::sleep_for(milliseconds(1));
            timer.end(Stage::Statistics);
        });
        std::this_thread::sleep_for(milliseconds(4));
        const auto ended = model::StageTimes::Clock::now();
        const auto seconds = times.seconds();
        const auto after = model::StageTimes::Clock::now();

        QVERIFY(seconds.total() >= threads * seconds_between(began, ended) - rounding);
        QVERIFY(seconds.total() <= threads * seconds_between(before, after) + rounding);
        QVERIFY(seconds[Stage::Weights] >= 0.003 + 4 * 0.002);
        QVERIFY(seconds[Stage::FfnProducts] >= 5 * 0.002);
        QVERIFY(seconds[Stage::Statistics] >= 5 * 0.001);
        QVERIFY(seconds[Stage::Other] >= 0.004);
        QVERIFY(seconds[Stage::Idle] >= (threads - 1) * 0.007);
        QCOMPARE(seconds[Stage::Writing], 0.0);
        for (std::size_t i = 0; i < model::stage_count; ++i) QVERIFY(seconds[Stage{i}] >= 0);
    }

    void one_thread_that_has_more_to_do_makes_the_others_wait() {
        ThreadPool pool(2);
        model::StageTimes times(pool);
        pool.parallel_for(1, [&](std::size_t, std::size_t thread) {
            model::StageTimer timer(&times, thread);
            std::this_thread::sleep_for(milliseconds(20));
            timer.end(Stage::FfnProducts);
        });
        const auto seconds = times.seconds();
        QVERIFY(seconds[Stage::FfnProducts] >= 0.020);
        QVERIFY(seconds[Stage::Waiting] > 0);
    }

    void without_times_nothing_happens() {
        const model::StageTimes::Section section(nullptr, Stage::Weights);
        model::StageTimer timer, another(nullptr, 3);
        timer.end(Stage::Norms);
        another.end(Stage::Norms);
    }
};

QTEST_APPLESS_MAIN(TestStageTimes)
#include "tst_stage_times.moc"
