// SPDX-License-Identifier: GPL-3.0-or-later
//
// The scripts of packaging/cluster and the lines of its README, with a Slurm that runs everything here and at once.
#include "tests/app/command_line.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QtTest>

using namespace permafrost;

class TestCluster : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QByteArray expected_;
    const QString scripts_ = QStringLiteral(PERMAFROST_TEST_DATA "/../packaging/cluster/");
    QString path(const QString& name) const { return folder_.filePath(name); }
    test::Outcome bash(const QString& command) const {
        return test::run(folder_.path(), {"-c", command}, QStandardPaths::findExecutable("bash"));
    }
    const QString options_ = "demo --num-prompts 40 --context 64 --quiet";

  private slots:
    void initTestCase() {
        if (QStandardPaths::findExecutable("bash").isEmpty()) QSKIP("SKIPPED: there is no bash");
        QVERIFY(QDir(folder_.path()).mkdir("bin"));
        QVERIFY(QFile::link(test::program(), path("bin/permafrost-cli")));
        auto folders = path("bin") + ':' + PERMAFROST_TEST_DATA "/app/slurm";
        if (QStandardPaths::findExecutable("parallel").isEmpty())
            folders += QStringLiteral(":" PERMAFROST_TEST_DATA "/app/parallel");
        qputenv("PATH", folders.toUtf8() + ':' + qgetenv("PATH"));
        EXITS(bash("permafrost-cli profile " + options_ + " -o single.frost"), 0);
        expected_ = test::content(path("single.frost"));
        QVERIFY(!expected_.isEmpty());
    }

    void a_job_array_gives_the_bytes_of_the_single_run() {
        const auto submit = scripts_ + "submit 3 array.frost " + options_;
        const auto submitted = bash(submit);
        EXITS(submitted, 0);
        QCOMPARE(submitted.out,
                 QByteArray("shards: job 4711, 1 to 3; merge: job 4711, writes array.frost\n"));
        QCOMPARE(
            test::content(path("jobs.log")),
            QByteArray("array=1-3 dependency= shard.slurm\narray= dependency=afterok:4711 merge.slurm\n"));
        QVERIFY(test::content(path("array.frost")) == expected_);

        // What is lost is run again by the same line, and nothing else.
        QVERIFY(QFile::remove(path("array.2-of-3.frost")));
        QVERIFY(QFile::remove(path("array.frost")));
        const auto kept = QFileInfo(path("array.1-of-3.frost")).lastModified();
        EXITS(bash(submit), 0);
        QVERIFY(test::content(path("array.frost")) == expected_);
        QCOMPARE(QFileInfo(path("array.1-of-3.frost")).lastModified(), kept);
    }

    void a_missing_shard_is_named_by_the_merge_job() {
        for (const char* task : {"1", "3"})
            EXITS(bash(QString("SLURM_ARRAY_TASK_ID=%1 %2shard.slurm 3 part.frost %3")
                           .arg(task, scripts_, options_)),
                  0);
        const auto merged = bash(scripts_ + "merge.slurm 3 part.frost");
        EXITS(merged, 1);
        QVERIFY2(merged.err.contains("part.2-of-3.frost is missing"), merged.err.constData());
        QVERIFY2(merged.err.contains("shard 2 of 3 is missing"), merged.err.constData());
        QVERIFY(!QFile::exists(path("part.frost")));
    }

    void wrong_usage_is_said() {
        for (const char* line : {"submit", "submit x out.frost demo", "shard.slurm 3 out.frost demo",
                                 "merge.slurm 3", "mpi.slurm out.frost"}) {
            const auto outcome = bash("unset SLURM_ARRAY_TASK_ID; " + scripts_ + line);
            EXITS(outcome, 2);
            QVERIFY(outcome.err.startsWith("usage: "));
        }
    }

    void the_lines_for_gnu_parallel_work() {
        auto readme = QString(test::content(scripts_ + "README.md"));
        const auto found =
            QRegularExpression("^(seq .*\\npermafrost-cli merge .*)$", QRegularExpression::MultilineOption)
                .match(readme);
        QVERIFY(found.hasMatch());
        auto lines = found.captured(1);
        lines.replace("model.gguf --text corpus.txt", "demo --num-prompts 40 --context 64");
        EXITS(bash("set -e\n" + lines), 0);
        QVERIFY(test::content(path("model.frost")) == expected_);
    }

    void an_mpi_job_gives_the_bytes_of_the_single_run() {
        if (QStandardPaths::findExecutable("mpirun").isEmpty()) QSKIP("there is no mpirun");
        qputenv("OMPI_ALLOW_RUN_AS_ROOT", "1");
        qputenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        qputenv("TMPDIR", "/tmp");
        // Without Slurm, mpirun is told the nodes by its parameters.
        qputenv("OMPI_MCA_rmaps_base_oversubscribe", "1");
        const auto outcome = bash(scripts_ + "mpi.slurm mpi.frost " + options_);
        if (outcome.err.contains("built without MPI")) QSKIP("this permafrost-cli was built without MPI");
        EXITS(outcome, 0);
        QVERIFY(test::content(path("mpi.frost")) == expected_);
    }
};

QTEST_APPLESS_MAIN(TestCluster)
#include "tst_cluster.moc"
