// SPDX-License-Identifier: GPL-3.0-or-later
//
// One profile, made in every way the program offers: the bytes are those of the single run. (Ranks of mpirun: tst_mpi.cpp.)
#include "tests/app/command_line.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace permafrost;

class TestIdenticalBytes : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QByteArray expected_;
    std::mt19937 random_;
    QString path(const QString& name) const { return folder_.filePath(name); }
    test::Outcome here(const QStringList& arguments) const { return test::run(folder_.path(), arguments); }
    test::Outcome profile(const QString& output, const QStringList& more) const {
        return here(QStringList{"profile", "demo", "--text", "text.txt", "--context", "128", "--quiet", "-o",
                                output} +
                    more);
    }
    bool same(const QString& name) const { return test::content(path(name)) == expected_; }

    /// When to kill a run, in milliseconds; later and later, so that a slow machine gets on too.
    int moment(int kills) { return std::uniform_int_distribution(10, 300 + 50 * kills)(random_); }
    /// Starts the run and kills it after so many milliseconds; whether it had ended by itself.
    bool ends_before_it_is_killed(int milliseconds, const QStringList& more) {
        QProcess process;
        process.setWorkingDirectory(folder_.path());
        process.start(test::program(), QStringList{"profile", "demo", "--text", "text.txt", "--context",
                                                   "128", "--quiet", "-o", "killed.frost", "--resume"} +
                                           more);
        if (process.waitForFinished(milliseconds)) return process.exitCode() == 0;
        process.kill(); // SIGKILL
        process.waitForFinished();
        return false;
    }

  private slots:
    void initTestCase() {
        test::write(
            path("text.txt"),
            QByteArray("One day a little dog ran to the park and saw a big red ball. ").repeated(1200));
        EXITS(profile("single.frost", {}), 0);
        expected_ = test::content(path("single.frost"));
        QVERIFY(!expected_.isEmpty());
        const auto seed = std::random_device()();
        qInfo("random points of seed %u", seed);
        random_.seed(seed);
    }

    void any_number_of_threads_data() {
        QTest::addColumn<QString>("threads");
        for (const char* threads : {"1", "2", "4"}) QTest::addRow("%s threads", threads) << threads;
    }
    void any_number_of_threads() {
        QFETCH(QString, threads);
        EXITS(profile("threads.frost", {"--threads", threads}), 0);
        QVERIFY(same("threads.frost"));
    }

    void any_number_of_shards_in_any_order_data() {
        QTest::addColumn<int>("count");
        for (const int count : {1, 2, 3, 5}) QTest::addRow("%d shards", count) << count;
    }
    void any_number_of_shards_in_any_order() {
        QFETCH(int, count);
        QStringList parts;
        for (int shard = 1; shard <= count; ++shard) {
            parts += QString("part%1.frost").arg(shard);
            EXITS(profile(parts.back(), {"--shard", QString("%1/%2").arg(shard).arg(count), "--threads",
                                         QString::number(1 + shard % 3)}),
                  0);
        }
        for (int order = 0; order < 4; ++order) {
            EXITS(here(QStringList{"merge", "-o", "merged.frost"} + parts), 0);
            QVERIFY2(same("merged.frost"), qPrintable(parts.join(' ')));
            std::shuffle(parts.begin(), parts.end(), random_);
        }
        // In two steps, the second of which does not know the number of shards of the first one's parts.
        if (count < 3) return;
        EXITS(here({"merge", "--partial", "-o", "some.frost", parts[0], parts[1]}), 0);
        EXITS(here(QStringList{"merge", "-o", "merged.frost", "some.frost"} + parts.mid(2)), 0);
        QVERIFY(same("merged.frost"));
    }

    void killed_and_resumed_at_random_points() {
        for (int round = 0; round < 2; ++round) {
            int kills = 0;
            for (;; ++kills) {
                QVERIFY2(kills < 100, "the run does not get on");
                const int milliseconds = moment(kills);
                const auto threads = QString::number(std::uniform_int_distribution(1, 4)(random_));
                if (ends_before_it_is_killed(milliseconds, {"--threads", threads})) break;
                QVERIFY(!QFile::exists(path("killed.frost")));
            }
            QVERIFY2(same("killed.frost"), qPrintable(QString("after %1 kills").arg(kills)));
            QVERIFY(!QFile::exists(path("killed.frost.resume")));
            QVERIFY(QFile::remove(path("killed.frost")));
        }
    }

    void a_shard_that_was_killed_is_resumed() {
        int kills = 0;
        while (!ends_before_it_is_killed(moment(kills), {"--shard", "2/3"}))
            QVERIFY2(++kills < 100, "the run does not get on");
        EXITS(profile("first.frost", {"--shard", "1/3"}), 0);
        EXITS(profile("third.frost", {"--shard", "3/3"}), 0);
        EXITS(here({"merge", "third.frost", "killed.frost", "first.frost", "-o", "merged.frost"}), 0);
        QVERIFY(same("merged.frost"));
    }
};

QTEST_APPLESS_MAIN(TestIdenticalBytes)
#include "tst_identical_bytes.moc"
