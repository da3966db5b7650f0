// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

namespace permafrost::test {

/// What a command of the real program did.
struct Outcome {
    int exit_code = -1;
    QByteArray out, err;

    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    /// One line, for a person.
    bool one_sentence() const { return err.endsWith('\n') && err.count('\n') == 1 && err.size() < 1000; }
};

inline const QString& program() {
    static const QString path = QStringLiteral(PERMAFROST_CLI);
    return path;
}

/// Runs `executable` (the command line program) in `folder`.
inline Outcome run(const QString& folder, const QStringList& arguments,
                   const QString& executable = program()) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(executable, arguments);
    if (!process.waitForFinished(120000)) process.kill();
    Outcome outcome;
    outcome.exit_code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    outcome.out = process.readAllStandardOutput();
    outcome.err = process.readAllStandardError();
    return outcome;
}

inline QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
inline void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) file.write(bytes);
}
/// Names in a folder, hidden ones (temporary files) too.
inline QStringList entries(const QString& folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

} // namespace permafrost::test

/// Checks an exit code and shows what the program said if it is another.
#define EXITS(outcome, code)                                                                                 \
    QVERIFY2((outcome).exit_code == (code),                                                                  \
             qPrintable(QString("exit code %1: %2").arg((outcome).exit_code).arg(QString((outcome).err))))
