// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/thread_pool.h"

#include <QtTest>

#include <atomic>
#include <set>

using namespace permafrost;

class TestThreadPool : public QObject {
    Q_OBJECT

  private slots:
    void each_index_is_worked_on_once_data() {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("count");
        for (const int threads : {1, 2, 5})
            for (const int count : {0, 1, 3, 1000})
                QTest::addRow("%d threads, %d", threads, count) << threads << count;
    }
    void each_index_is_worked_on_once() {
        QFETCH(int, threads);
        QFETCH(int, count);
        ThreadPool pool(static_cast<std::size_t>(threads));
        QCOMPARE(pool.threads(), static_cast<std::size_t>(threads));
        std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
        std::atomic<bool> thread_in_range = true;
        const bool all = pool.parallel_for(visits.size(), [&](std::size_t index, std::size_t thread) {
            ++visits[index];
            if (thread >= pool.threads()) thread_in_range = false;
        });
        QVERIFY(all);
        QVERIFY(thread_in_range);
        for (const auto& visit : visits) QCOMPARE(visit.load(), 1);
    }

    void a_pool_serves_many_loops() {
        ThreadPool pool(3);
        std::atomic<std::size_t> sum = 0;
        for (int round = 0; round < 500; ++round)
            pool.parallel_for(10, [&](std::size_t index, std::size_t) { sum += index; });
        QCOMPARE(sum.load(), std::size_t{500 * 45});
    }

    void no_thread_number_is_used_twice_at_a_time() {
        ThreadPool pool(4);
        std::vector<std::atomic<int>> inside(pool.threads());
        std::atomic<bool> alone = true;
        pool.parallel_for(2000, [&](std::size_t, std::size_t thread) {
            if (++inside[thread] != 1) alone = false;
            --inside[thread];
        });
        QVERIFY(alone);
    }

    void a_stop_begins_no_further_index() {
        ThreadPool pool(2);
        std::stop_source source;
        std::atomic<int> worked = 0;
        const bool all = pool.parallel_for(
            100000,
            [&](std::size_t, std::size_t) {
                if (++worked >= 10) source.request_stop();
            },
            source.get_token());
        QVERIFY(!all);
        QVERIFY(worked.load() <= 11); // the other thread may have been inside one
    }

    void a_stop_before_the_loop_does_nothing() {
        ThreadPool pool(2);
        std::stop_source source;
        source.request_stop();
        bool worked = false;
        QVERIFY(!pool.parallel_for(
            5, [&](std::size_t, std::size_t) { worked = true; }, source.get_token()));
        QVERIFY(!worked);
        QVERIFY(pool.parallel_for(5, [](std::size_t, std::size_t) {}));
    }

    void zero_threads_means_one_a_processor() {
        QCOMPARE(ThreadPool(0).threads(), std::size_t{std::max(1u, std::thread::hardware_concurrency())});
    }
};

QTEST_APPLESS_MAIN(TestThreadPool)
#include "tst_thread_pool.moc"
