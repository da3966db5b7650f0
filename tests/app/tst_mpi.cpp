// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real program as several processes that mpirun starts.
#include "tests/app/command_line.h"

#include <QElapsedTimer>
#include <QStandardPaths>
#include <QtTest>

#include <csignal>

using namespace permafrost;

class TestMpi : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString mpirun_ = QStandardPaths::findExecutable("mpirun");
    QString path(const QString& name) const { return folder_.filePath(name); }
    test::Outcome here(const QStringList& arguments) const { return test::run(folder_.path(), arguments); }
    test::Outcome on_ranks(const QStringList& arguments) const {
        return test::run(folder_.path(), QStringList{"-q", "--oversubscribe"} + arguments, mpirun_);
    }
    static QStringList ranks(int count, const QStringList& arguments) {
        return QStringList{"-n", QString::number(count), test::program()} + arguments;
    }
    /// What the program itself said, without progress and mpirun's own words.
    static QByteArrayList errors(const test::Outcome& outcome) {
        QByteArrayList said;
        for (const auto& line : outcome.err.split('\n'))
            if (line.startsWith("permafrost-cli: ")) said.push_back(line.mid(16));
        return said;
    }
    /// Fails everywhere with this one message, and leaves nothing.
    void fails(const QStringList& arguments, const QByteArray& message) {
        const auto before = test::entries(folder_.path());
        const auto outcome = on_ranks(arguments);
        QVERIFY(outcome.exit_code != 0);
        QVERIFY2(errors(outcome).size() == 1, outcome.err.constData());
        QVERIFY2(errors(outcome)[0].contains(message), outcome.err.constData());
        QVERIFY2(outcome.out.isEmpty(), outcome.out.constData());
        QCOMPARE(test::entries(folder_.path()), before);
    }
    const QStringList short_run_{"profile",   "demo", "--num-prompts", "40",
                                 "--context", "64",   "--quiet",       "-o"};

    /// A run of seconds on two ranks that has finished a share of its work.
    bool begin_long_run(QProcess& process, const QStringList& more = {}) {
        process.setWorkingDirectory(folder_.path());
        process.start(mpirun_, QStringList{"-q", "--oversubscribe"} + ranks(2, long_run_ + more));
        process.setReadChannel(QProcess::StandardError);
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 60000) {
            if (!process.canReadLine() && !process.waitForReadyRead(1000)) continue;
            const auto line = process.readLine();
            if (line.contains(" % ") && line.split('%')[0].trimmed().toInt() >= 20) return true;
        }
        return false;
    }
    const QStringList long_run_{"profile", "demo", "--text", "long.txt", "-o", "long.frost"};
    QStringList parts_of_long_run() const {
        return QDir(folder_.path()).entryList({"long.frost.*-of-2.resume"}, QDir::Files);
    }
    /// The process that mpirun started as this rank.
    static qint64 process_of_rank(qint64 launcher, int rank) {
        for (const auto& name : QDir("/proc").entryList(QDir::Dirs)) {
            const auto status = test::content("/proc/" + name + "/status");
            if (!status.contains("\nPPid:\t" + QByteArray::number(launcher) + '\n')) continue;
            const auto wanted = "OMPI_COMM_WORLD_RANK=" + QByteArray::number(rank);
            if (test::content("/proc/" + name + "/environ").split('\0').contains(wanted))
                return name.toLongLong();
        }
        return 0;
    }

  private slots:
    void initTestCase() {
        if (mpirun_.isEmpty()) QSKIP("SKIPPED: there is no mpirun");
        qputenv("OMPI_ALLOW_RUN_AS_ROOT", "1");
        qputenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        qputenv("TMPDIR", "/tmp"); // Open MPI's sockets want short names
        EXITS(here(short_run_ + QStringList{"single.frost"}), 0);
        const auto tried = on_ranks(ranks(2, short_run_ + QStringList{"tried.frost"}));
        if (tried.err.contains("built without MPI")) {
            QVERIFY(!QFile::exists(path("tried.frost")));
            QSKIP("SKIPPED: this permafrost-cli was built without MPI");
        }
        EXITS(tried, 0);
        test::write(
            path("long.txt"),
            QByteArray("One day a little dog ran to the park and saw a big red ball. ").repeated(4000));
    }

    void ranks_give_the_bytes_of_the_single_run_data() {
        QTest::addColumn<int>("count");
        for (const int count : {1, 2, 3, 4, 7}) QTest::addRow("%d ranks", count) << count;
    }
    void ranks_give_the_bytes_of_the_single_run() {
        QFETCH(int, count);
        const auto outcome = on_ranks(ranks(count, short_run_ + QStringList{"ranks.frost", "--json"}));
        EXITS(outcome, 0);
        QVERIFY2(outcome.err.isEmpty(), outcome.err.constData());
        QCOMPARE(outcome.json()["ranks"].toInt(), count);
        const auto single = here({"inspect", "single.frost", "--json"}).json();
        QCOMPARE(outcome.json()["tokens"].toInt(), single["tokens"].toInt());
        QVERIFY(test::content(path("ranks.frost")) == test::content(path("single.frost")));
        QVERIFY(QDir(folder_.path()).entryList({"*.resume"}).isEmpty());
    }

    void more_ranks_than_work_are_no_failure() {
        const QStringList one_prompt{"profile",   "demo", "--num-prompts", "1",
                                     "--context", "64",   "--quiet",       "-o"};
        EXITS(here(one_prompt + QStringList{"one.frost"}), 0);
        EXITS(on_ranks(ranks(4, one_prompt + QStringList{"ranks.frost"})), 0);
        QVERIFY(test::content(path("ranks.frost")) == test::content(path("one.frost")));
    }

    void what_fails_on_all_ranks_is_said_once() {
        fails(ranks(3, {"profile", "missing.gguf", "-o", "out.frost"}), "cannot open missing.gguf");
        fails(ranks(2, {"profile", "demo", "-o", "none/out.frost"}), "cannot write none/out.frost");
        fails(ranks(2, {"profile", "demo", "--shard", "1/2", "-o", "out.frost"}), "--shard and mpirun");
        fails(ranks(2, {"inspect", "demo"}), "this command works in one process, and mpirun started 2");
    }

    void what_fails_on_one_rank_ends_all() {
        const auto beside = [&](const QStringList& others) {
            return ranks(1, short_run_ + QStringList{"out.frost"}) + QStringList{":"} + ranks(1, others);
        };
        fails(beside({"profile", "missing.gguf", "--quiet", "-o", "out.frost"}),
              "rank 1 of 2: cannot open missing.gguf");
        fails(beside({"profile", "demo", "--num-prompts", "40", "--context", "64", "--quiet", "-o",
                      "none/out.frost"}),
              "rank 1 of 2: cannot write none/out.frost");
    }

    void ranks_of_different_runs_are_refused() {
        const auto outcome = on_ranks(ranks(1, short_run_ + QStringList{"out.frost"}) + QStringList{":"} +
                                      ranks(1, {"profile", "demo", "--num-prompts", "39", "--context", "64",
                                                "--quiet", "-o", "out.frost"}));
        QCOMPARE(outcome.exit_code, 1);
        QCOMPARE(errors(outcome).size(), 1);
        QVERIFY2(errors(outcome)[0].startsWith(
                     "rank 1 of 2 is of another number of prompts (39, not 40) than rank 0"),
                 outcome.err.constData());
        QVERIFY(!QFile::exists(path("out.frost")));
        for (const char* part : {"out.frost.1-of-2.resume", "out.frost.2-of-2.resume"})
            QFile::remove(path(part));
    }

    void an_interrupted_run_is_resumed() {
        EXITS(here(long_run_), 0);
        const auto expected = test::content(path("long.frost"));
        QVERIFY(QFile::remove(path("long.frost")));
        {
            QProcess process;
            QVERIFY(begin_long_run(process));
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            QVERIFY(process.waitForFinished(60000));
            QVERIFY(process.exitCode() != 0);
        }
        QVERIFY(!QFile::exists(path("long.frost")));
        QCOMPARE(parts_of_long_run().size(), 2);
        for (const auto& wrong : {here(long_run_ + QStringList{"--resume"}),
                                  on_ranks(ranks(3, long_run_ + QStringList{"--resume"}))}) {
            QVERIFY(wrong.exit_code != 0);
            QCOMPARE(errors(wrong).size(), 1);
            QVERIFY2(errors(wrong)[0].contains("is of a run on 2 ranks: resume it with mpirun -n 2"),
                     wrong.err.constData());
        }
        // A rank that is lost, as when its node fails, takes the others with it, which keep what they have.
        {
            QProcess process;
            QVERIFY(begin_long_run(process, {"--resume"}));
            const auto lost = process_of_rank(process.processId(), 1);
            QVERIFY(lost != 0);
            ::kill(static_cast<pid_t>(lost), SIGKILL);
            QVERIFY(process.waitForFinished(60000));
            QVERIFY(process.exitCode() != 0);
        }
        QVERIFY(!QFile::exists(path("long.frost")));
        QCOMPARE(parts_of_long_run().size(), 2);
        const auto resumed = on_ranks(ranks(2, long_run_ + QStringList{"--resume", "--quiet", "--json"}));
        EXITS(resumed, 0);
        QVERIFY(resumed.json()["tokens"].toInt() > 0);
        QVERIFY(resumed.json()["tokens"].toInt() <
                here({"inspect", "long.frost", "--json"}).json()["tokens"].toInt());
        QVERIFY(test::content(path("long.frost")) == expected);
        QVERIFY(parts_of_long_run().isEmpty());
    }

    void a_launcher_of_another_mpi_is_noticed() {
        qputenv("OMPI_COMM_WORLD_RANK", "0");
        qputenv("OMPI_COMM_WORLD_SIZE", "2");
        const auto outcome = here(short_run_ + QStringList{"out.frost"});
        qunsetenv("OMPI_COMM_WORLD_RANK");
        qunsetenv("OMPI_COMM_WORLD_SIZE");
        EXITS(outcome, 1);
        QVERIFY2(outcome.err.contains("mpirun started 2 processes"), outcome.err.constData());
        QVERIFY(!QFile::exists(path("out.frost")));
    }
};

QTEST_APPLESS_MAIN(TestMpi)
#include "tst_mpi.moc"
