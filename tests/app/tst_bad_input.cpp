// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real program on files that are missing, damaged or of the wrong kind, and on places it cannot write to:
// exit code 1, one sentence that names the file, nothing half-written.
#include "tests/app/command_line.h"
#include "tests/support/gguf_builder.h"

#include <QJsonArray>
#include <QtTest>

#include <filesystem>
#include <sys/stat.h>

using namespace permafrost;

class TestBadInput : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }
    test::Outcome here(const QStringList& arguments) const { return test::run(folder_.path(), arguments); }

    /// The command fails with one sentence that holds `word`, and the folder is as before.
    void fails(const QStringList& arguments, const QByteArray& word) {
        const auto before = test::entries(folder_.path());
        const auto outcome = here(arguments);
        EXITS(outcome, 1);
        QVERIFY2(outcome.one_sentence(), outcome.err.constData());
        QVERIFY2(outcome.err.contains(word), outcome.err.constData());
        QVERIFY2(outcome.out.isEmpty(), outcome.out.constData());
        QCOMPARE(test::entries(folder_.path()), before);
    }

  private slots:
    void initTestCase() {
        test::write_tiny_llama(folder_.path().toStdString());
        const auto gguf = test::content(path("tiny.gguf"));
        EXITS(here({"convert", "tiny.gguf", "tiny.knot"}), 0);
        EXITS(here({"profile", "tiny.gguf", "--num-prompts", "2", "-o", "tiny.frost", "--quiet"}), 0);
        test::write(path("empty.bin"), "");
        test::write(path("text.bin"), "This is no model.\n");
        for (const char* kind : {"gguf", "knot", "frost"}) {
            const auto bytes = test::content(path(QString("tiny.") + kind));
            QVERIFY(bytes.size() > 1000);
            for (const int share : {0, 1, 10, 50, 99})
                test::write(path(QString("cut%1.%2").arg(share).arg(kind)),
                            bytes.left(share == 0 ? 6 : static_cast<int>(bytes.size() * share / 100)));
        }
        auto unknown = gguf;
        unknown.replace("general.architecture", "general.architecturo");
        test::write(path("unknown.gguf"), unknown);
    }

    void damaged_files_are_named_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"missing.gguf", "empty.bin",   "text.bin",    ".",           "cut0.gguf",
                                 "cut1.gguf",    "cut10.gguf",  "cut50.gguf",  "cut99.gguf",  "cut0.knot",
                                 "cut1.knot",    "cut10.knot",  "cut50.knot",  "cut99.knot",  "cut0.frost",
                                 "cut1.frost",   "cut10.frost", "cut50.frost", "cut99.frost", "/dev/null"})
            QTest::newRow(file) << file;
    }
    void damaged_files_are_named() {
        QFETCH(QString, file);
        const auto name = file.toUtf8();
        fails({"inspect", file}, name);
        fails({"profile", file, "-o", "out.frost"}, name);
        fails({"convert", file, "out.knot"}, name);
        fails({"mask", file, "--output-dir", "out"}, name);
        fails({"merge", file, "tiny.frost", "-o", "out.frost"}, name);
        fails({"eval", file, "--text", "heldout"}, name);
        fails({"profile-saturation-bitmasks", "--knot", file, "--num-prompts", "1", "--output-dir", "out"},
              name);
    }

    void files_of_the_wrong_kind_are_named() {
        fails({"profile", "tiny.frost", "-o", "out.frost"}, "tiny.frost");
        fails({"mask", "tiny.gguf", "--output-dir", "out"}, "tiny.gguf");
        fails({"profile", "unknown.gguf", "-o", "out.frost"}, "unknown.gguf");
        fails({"convert", "tiny.gguf", "out.onnx"}, "out.onnx");
        fails({"convert", "tiny.gguf", "tiny.gguf"}, "tiny.gguf");
    }

    void shards_that_do_not_fit_are_refused() {
        const auto profile = [&](const QString& output, const QStringList& options) {
            QStringList all{"profile", "tiny.gguf", "-o", output, "--quiet"};
            if (!options.contains("--num-prompts")) all += QStringList{"--num-prompts", "9"};
            if (!options.contains("--context")) all += QStringList{"--context", "64"};
            EXITS(here(all + options), 0);
        };
        for (const char* shard : {"1", "2", "3"})
            profile(QString("s%1.frost").arg(shard), {"--shard", QString("%1/3").arg(shard)});
        profile("context.frost", {"--shard", "2/3", "--context", "32"});
        profile("prompts.frost", {"--shard", "2/3", "--num-prompts", "8"});
        test::write(path("text.txt"), QByteArray("One day a cat sat on a mat. ").repeated(400));
        EXITS(here({"profile", "tiny.gguf", "--text", "text.txt", "--context", "64", "--shard", "2/3", "-o",
                    "text.frost", "--quiet"}),
              0);
        EXITS(here({"profile", "demo", "--num-prompts", "9", "--context", "64", "--shard", "2/3", "-o",
                    "demo.frost", "--quiet"}),
              0);
        const QStringList out{"-o", "out.frost"};
        fails(QStringList{"merge", "s1.frost", "demo.frost", "s3.frost"} + out,
              "demo.frost is of another model");
        fails(QStringList{"merge", "s1.frost", "context.frost"} + out,
              "context.frost is of another context (32, not 64) than s1.frost");
        fails(QStringList{"merge", "s1.frost", "prompts.frost"} + out,
              "another number of prompts (8, not 9)");
        fails(QStringList{"merge", "s1.frost", "text.frost"} + out, "text.frost is of another text");
        fails(QStringList{"merge", "s1.frost", "s2.frost", "./s1.frost"} + out,
              "./s1.frost is shard 1 of 3, which s1.frost is too");
        fails(QStringList{"merge", "s1.frost", "s3.frost"} + out,
              "shard 2 of 3 is missing: run the command of the others with --shard 2/3");
        fails(QStringList{"merge", "s1.frost", "s2.frost", "cut50.frost"} + out, "cut50.frost");
        fails(QStringList{"merge", "s1.frost", "s2.frost", "tiny.gguf"} + out, "tiny.gguf");
        const auto partial = here(QStringList{"merge", "s1.frost", "s3.frost", "--partial", "--json"} + out);
        EXITS(partial, 0);
        QCOMPARE(partial.json()["missing_shards"].toArray(), QJsonArray{2});
        QVERIFY(!partial.json()["complete"].toBool());
        QVERIFY(QFile::remove(path("out.frost")));
    }

    void masks_that_are_no_masks_are_named_data() {
        QTest::addColumn<QByteArray>("maps");
        QTest::newRow("no object") << QByteArray("[1]");
        QTest::newRow("layers no object") << QByteArray(R"({"ffn_frozen_per_layer":[]})");
        QTest::newRow("layer no object") << QByteArray(R"({"ffn_frozen_per_layer":{"0":7}})");
        QTest::newRow("mask of words")
            << QByteArray(R"({"ffn_frozen_per_layer":{"0":{"num_neurons":8,"frozen_mask":["x"]}}})");
        QTest::newRow("count no number")
            << QByteArray(R"({"ffn_frozen_per_layer":{"0":{"num_neurons":"8","frozen_mask":[1]}}})");
        QTest::newRow("mask too short")
            << QByteArray(R"({"ffn_frozen_per_layer":{"0":{"num_neurons":99,"frozen_mask":[1]}}})");
        QTest::newRow("method no text") << QByteArray(
            R"({"profile_method":3,"ffn_frozen_per_layer":{"0":{"num_neurons":8,"frozen_mask":[1]}}})");
    }
    void masks_that_are_no_masks_are_named() {
        QFETCH(QByteArray, maps);
        const auto header = R"({"metadata":[],"tensors":[],"saturation_maps":)" + maps + "}";
        QByteArray file("KNOT\1\0\0\0", 8);
        const auto length = static_cast<quint64>(header.size());
        file.append(reinterpret_cast<const char*>(&length), sizeof length).append(header);
        file.append(QByteArray(64 - static_cast<int>(file.size() % 64), '\0'));
        test::write(path("bad.rknot"), file);
        fails({"inspect", "bad.rknot"}, "bad.rknot");
        fails({"inspect", "bad.rknot", "--json"}, "bad.rknot");
    }

    void bad_prompt_files_are_named_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("empty") << QByteArray() << QByteArray("prompts.txt");
        QTest::newRow("blank lines") << QByteArray("\n \n") << QByteArray("prompts.txt");
        QTest::newRow("binary") << QByteArray("abc\0def", 7) << QByteArray("binary");
        QTest::newRow("malformed JSON in line 3")
            << QByteArray("{\"prompt\": \"a\"}\n\n{\"prompt\": \n") << QByteArray("prompts.txt, line 3");
        QTest::newRow("no prompt in line 2")
            << QByteArray("{\"prompt\": \"a\"}\n{\"text\": \"b\"}\n") << QByteArray("prompts.txt, line 2");
    }
    void bad_prompt_files_are_named() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, word);
        test::write(path("prompts.txt"), bytes);
        fails({"profile", "demo", "--prompts", "prompts.txt", "-o", "out.frost", "--quiet"}, word);
        fails({"profile", "demo", "--domain", "x=prompts.txt", "-o", "out.frost", "--quiet"}, word);
    }
    void texts_that_are_missing_or_too_short_are_named() {
        test::write(path("short.txt"), "One day.");
        fails({"profile", "demo", "--text", "short.txt", "-o", "out.frost", "--quiet"}, "short.txt");
        test::write(path("binary.txt"), QByteArray("abc\0def", 7).repeated(1000));
        fails({"profile", "demo", "--text", "binary.txt", "-o", "out.frost", "--quiet"}, "binary file");
        fails({"eval", "demo", "--text", "binary.txt", "--quiet"}, "binary file");
        fails({"profile", "demo", "--text", "none.txt", "-o", "out.frost", "--quiet"}, "check the path");
        fails({"profile", "demo", "--prompts", "none.txt", "-o", "out.frost", "--quiet"}, "none.txt");
        fails({"eval", "demo", "--text", "none.txt", "--quiet"}, "none.txt");
    }

    void places_that_cannot_be_written_are_named_before_the_work() {
        fails({"profile", "demo", "-o", "none/out.frost", "--quiet"}, "none");
        fails({"profile", "demo", "-o", ".", "--quiet"}, "folder");
        fails({"profile", "demo", "-o", "tiny.gguf/out.frost", "--quiet"}, "tiny.gguf");
        fails({"profile", "demo", "-o", "/proc/out.frost", "--quiet"}, "/proc takes no new files");
        fails({"profile", "demo", "-o", "out.frost", "--output-dir", "tiny.gguf"}, "is not a folder");
        fails({"mask", "tiny.frost", "--output-dir", "tiny.gguf/masks"}, "tiny.gguf");
        fails({"mask", "tiny.frost", "--output-dir", "/proc/masks"}, "/proc/masks");
        fails({"convert", "tiny.gguf", "none/out.knot"}, "none");
        fails({"merge", "tiny.frost", "-o", "none/out.frost"}, "none");
    }

    void a_full_device_for_output_is_a_failure() {
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(test::program(), {"inspect", "demo", "--json"});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(!process.readAllStandardError().isEmpty());
    }

    void an_output_that_exists_stays_when_the_run_fails() {
        test::write(path("kept.frost"), "precious");
        fails({"profile", "demo", "--text", "none.txt", "-o", "kept.frost", "--quiet"}, "none.txt");
        QCOMPARE(test::content(path("kept.frost")), QByteArray("precious"));
    }

    void values_that_make_no_sense_are_wrong_usage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char* option, const char* value, const char* words) {
            QTest::addRow("profile %s %s", option, value)
                << QStringList{"profile", "demo", "-o", "out.frost", option, value} << QByteArray(words);
        };
        for (const char* context : {"0", "1", "-1", "70000", "1.5"})
            row("--context", context, "wants a whole number from 2 to 65535, not");
        row("--threads", "-1", "from 0 to 1024, not \"-1\"");
        row("--num-prompts", "-1", "from 1 up, not \"-1\"");
        row("--num-prompts", "0", "from 1 up, not \"0\"");
        row("--shard", "x", "wants I/N");
        row("--shard", "3/2", "wants I/N");
        row("--shard", "0/2", "wants I/N");
        row("--domain", "nofile", "wants NAME=FILE");
        const auto mask = [](const char* option, const char* value, const char* words) {
            QTest::addRow("mask %s %s", option, value)
                << QStringList{"mask", "tiny.frost", "--output-dir", "out", option, value}
                << QByteArray(words);
        };
        for (const char* value : {"nan", "-1", "inf", "low"})
            mask("--var", value, "wants a number from 0 up");
        mask("--inactive", "1.5", "from 0 to 1, not");
        mask("--rule", "foo", "Unknown rule");
        mask("--rule", "quantile:2", "share from 0 to 1");
        mask("--layers", "abc", "Cannot read the layers");
        mask("--layers", "3-1", "wrong order");
    }
    void values_that_make_no_sense_are_wrong_usage() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, words);
        const auto before = test::entries(folder_.path());
        const auto outcome = here(arguments);
        EXITS(outcome, 2);
        QVERIFY2(outcome.err.contains(words), outcome.err.constData());
        QVERIFY(outcome.out.isEmpty());
        QCOMPARE(test::entries(folder_.path()), before);
    }

    void an_input_is_never_overwritten() {
        test::write(path("in.txt"), "Once upon a time\n");
        test::write(path("kept.rknot"), test::content(path("tiny.frost")));
        QVERIFY(QFile::link("in.txt", path("soft.txt")));
        std::filesystem::create_hard_link(path("tiny.gguf").toStdString(), path("hard.gguf").toStdString());
        const auto gguf = test::content(path("tiny.gguf")), frost = test::content(path("tiny.frost"));
        for (const char* target : {"tiny.gguf", "hard.gguf"}) {
            fails({"profile", "tiny.gguf", "-o", target}, "an input");
            fails({"convert", "tiny.gguf", target}, "an input");
            fails(
                {"profile-phi3-saturation", "--knot", "tiny.gguf", "--num-prompts", "1", "--output", target},
                "an input");
        }
        for (const char* target : {"in.txt", "soft.txt"})
            for (const char* option : {"--prompts", "--text"})
                fails({"profile", "demo", option, "in.txt", "-o", target}, "an input");
        fails({"profile", "demo", "--domain", "x=in.txt", "-o", "in.txt"}, "an input");
        fails({"merge", "tiny.frost", "-o", "tiny.frost"}, "an input");
        QDir(folder_.path()).mkdir("masks");
        test::write(path("masks/saturation-report.csv"), frost);
        fails({"mask", "masks/saturation-report.csv", "--output-dir", "masks"}, "an input");
        QCOMPARE(test::content(path("tiny.gguf")), gguf);
        QCOMPARE(test::content(path("tiny.frost")), frost);
        QCOMPARE(test::content(path("in.txt")), QByteArray("Once upon a time\n"));
        QCOMPARE(test::content(path("masks/saturation-report.csv")), frost);
    }

    void pipes_are_no_targets_and_links_stay_links() {
        QCOMPARE(mkfifo(path("pipe").toUtf8(), 0600), 0);
        fails({"profile", "demo", "-o", "pipe"}, "it is a pipe");
        fails({"merge", "tiny.frost", "-o", "pipe"}, "it is a pipe");
        fails({"profile-phi3-saturation", "--knot", "demo", "--num-prompts", "1", "--output", "pipe"},
              "it is a pipe");
        QVERIFY(QFile::link("merged.frost", path("link.frost")));
        EXITS(here({"merge", "tiny.frost", "-o", "link.frost"}), 0);
        QVERIFY(QFileInfo(path("link.frost")).isSymLink());
        QCOMPARE(test::content(path("merged.frost")), test::content(path("tiny.frost")));
    }

    void closed_streams_do_not_end_a_run_silently() {
        const auto shell = [&](const QString& line) {
            return test::run(folder_.path(), {"-c", line, "sh", test::program()}, "/bin/sh");
        };
        auto outcome = shell("\"$1\" inspect tiny.frost --csv --neurons --layer 0 >&-");
        EXITS(outcome, 1);
        QVERIFY2(outcome.err.contains("standard output"), outcome.err.constData());
        outcome = shell("(\"$1\" inspect demo --json; echo $? >code) | true; cat code");
        QVERIFY2(outcome.out == "1\n" || outcome.out == "0\n", outcome.out.constData()); // who was first?
        // A closed stderr's number must not go to the profile, which progress would be written into.
        outcome = shell("\"$1\" profile tiny.gguf --num-prompts 2 -o quiet.frost 2>&-");
        EXITS(outcome, 0);
        QCOMPARE(test::content(path("quiet.frost")), test::content(path("tiny.frost")));
    }

    void wrong_usage_is_told_by_its_own_code_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList{};
        QTest::newRow("unknown command") << QStringList{"freeze"};
        QTest::newRow("unknown option") << QStringList{"profile", "demo", "-o", "out.frost", "--fast"};
        QTest::newRow("no output") << QStringList{"profile", "demo"};
        QTest::newRow("no model") << QStringList{"profile", "-o", "out.frost"};
        QTest::newRow("context that is a word")
            << QStringList{"profile", "demo", "-o", "out.frost", "--context", "long"};
        QTest::newRow("negative context")
            << QStringList{"profile", "demo", "-o", "out.frost", "--context", "-5"};
        QTest::newRow("negative layer") << QStringList{"inspect", "demo", "--layer", "-1"};
        QTest::newRow("negative prompts")
            << QStringList{"profile", "demo", "-o", "out.frost", "--num-prompts", "-3"};
        QTest::newRow("text and prompts")
            << QStringList{"profile", "demo", "-o", "out.frost", "--text", "a", "--prompts", "b"};
    }
    void wrong_usage_is_told_by_its_own_code() {
        QFETCH(QStringList, arguments);
        const auto outcome = here(arguments);
        EXITS(outcome, 2);
        QVERIFY(outcome.out.isEmpty());
        QVERIFY(!outcome.err.isEmpty());
        QVERIFY(!QFile::exists(path("out.frost")));
    }
};

QTEST_APPLESS_MAIN(TestBadInput)
#include "tst_bad_input.moc"
