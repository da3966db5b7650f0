// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ctrl-C and SIGTERM while the real program runs.
#include "tests/app/command_line.h"

#include <QtTest>

#include <csignal>

using namespace permafrost;

class TestInterrupt : public QObject {
    Q_OBJECT

  private slots:
    void a_signal_cancels_a_run_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
    }
    void a_signal_cancels_a_run() {
        QFETCH(int, signal);
        QTemporaryDir folder;
        // Work for minutes.
        const QByteArray paragraph("One day a little dog ran to the park and saw a big red ball. ");
        test::write(folder.filePath("long.txt"), paragraph.repeated(8000));
        test::write(folder.filePath("out.frost"), "of an earlier run");

        QProcess process;
        process.setWorkingDirectory(folder.path());
        process.start(test::program(),
                      {"profile", "demo", "--text", "long.txt", "-o", "out.frost", "--json"});
        QVERIFY(process.waitForStarted());
        // The second line of progress comes at a tenth of the work, when a wave is finished.
        process.setReadChannel(QProcess::StandardError);
        for (int lines = 0; lines < 2; ++lines) {
            while (!process.canReadLine() && process.waitForReadyRead(60000)) {
            }
            QVERIFY2(process.canReadLine(), "the run did not begin");
            process.readLine();
        }
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(process.readAllStandardOutput(), QByteArray());
        const auto said = process.readAllStandardError();
        QVERIFY2(said.endsWith("cancelled\n"), said.constData());
        QVERIFY2(said.contains("note: the finished part is kept in out.frost.resume"), said.constData());
        QCOMPARE(test::content(folder.filePath("out.frost")), QByteArray("of an earlier run"));
        QCOMPARE(test::entries(folder.path()), (QStringList{"long.txt", "out.frost", "out.frost.resume"}));
    }
};

QTEST_APPLESS_MAIN(TestInterrupt)
#include "tst_interrupt.moc"
