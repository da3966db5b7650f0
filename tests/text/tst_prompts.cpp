// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/corpus.h"
#include "tests/support/temporary_folder.h"

#include <QTest>

#include <fstream>

using namespace permafrost;
using text::parse_prompts;

namespace {

void write(const std::filesystem::path& path, std::string_view content) {
    std::ofstream(path, std::ios::binary) << content;
}

// "text/domain" of each prompt, or the error.
std::string shown(const Result<std::vector<text::Prompt>>& prompts) {
    if (!prompts.ok()) return prompts.message();
    std::string list;
    for (const auto& prompt : prompts.value())
        list += (list.empty() ? "" : "|") + prompt.text + "/" + prompt.domain;
    return list;
}

} // namespace

class PromptsTest : public QObject {
    Q_OBJECT

  private slots:
    void each_line_is_a_prompt() {
        QCOMPARE(shown(parse_prompts("one\n two {x}\nthree", "p.txt")), std::string("one/| two {x}/|three/"));
    }

    void blank_lines_and_line_ends_are_left_out() {
        QCOMPARE(shown(parse_prompts("\r\none\r\n  \t\r\n\n\ntwo\r\n", "p.txt")), std::string("one/|two/"));
    }

    void a_byte_order_mark_is_left_out() {
        QCOMPARE(shown(parse_prompts("\xEF\xBB\xBFone", "p.txt")), std::string("one/"));
        QCOMPARE(shown(parse_prompts("\xEF\xBB\xBF{\"prompt\":\"one\"}", "p.txt")), std::string("one/"));
    }

    void json_lines_carry_prompt_and_domain() {
        const auto content =
            "\n{\"prompt\": \"a\\nb\", \"domain\": \"code\"}\n{\"prompt\": \"é\", \"other\": 1}\n"
            "{\"domain\": null, \"prompt\": \"c\"}";
        QCOMPARE(shown(parse_prompts(content, "p.jsonl")), std::string("a\nb/code|é/|c/"));
    }

    void the_given_domain_is_for_lines_that_name_none() {
        QCOMPARE(shown(parse_prompts("one\ntwo", "p", "prose")), std::string("one/prose|two/prose"));
        QCOMPARE(
            shown(parse_prompts("{\"prompt\":\"a\"}\n{\"prompt\":\"b\",\"domain\":\"code\"}", "p", "prose")),
            std::string("a/prose|b/code"));
    }

    void malformed_lines_are_named_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("mentioned");
        QTest::newRow("syntax") << "{\"prompt\": \"a\""
                                << "not valid JSON at column 15";
        QTest::newRow("plain text") << "hello"
                                    << "not valid JSON at column 1";
        QTest::newRow("not an object") << "[\"prompt\"]"
                                       << "not a JSON object";
        QTest::newRow("no prompt") << "{\"text\": \"a\"}"
                                   << "there is no \"prompt\"";
        QTest::newRow("prompt of another kind") << "{\"prompt\": 3}"
                                                << "\"prompt\" is not a text";
        QTest::newRow("empty prompt") << "{\"prompt\": \"\"}"
                                      << "\"prompt\" is empty";
        QTest::newRow("domain of another kind") << "{\"prompt\": \"a\", \"domain\": []}"
                                                << "\"domain\" is not a text";
        QTest::newRow("deep nesting") << QString(200000, '[') << "not valid JSON";
    }
    void malformed_lines_are_named() {
        QFETCH(QString, line);
        QFETCH(QString, mentioned);
        const auto content = "{\"prompt\": \"fine\"}\n\n" + line.toStdString() + "\n";
        const auto message = QString::fromStdString(shown(parse_prompts(content, "set.jsonl")));
        QVERIFY2(message.startsWith("set.jsonl, line 3: " + mentioned), qPrintable(message));
    }

    void invalid_utf8_in_json_is_an_error() {
        const auto message = shown(parse_prompts("{\"prompt\": \"\xFF\"}", "set.jsonl"));
        QVERIFY2(message.find("set.jsonl, line 1: not valid JSON") == 0, message.c_str());
    }

    void empty_binary_and_missing_files_are_named() {
        test::TemporaryFolder folder;
        write(folder / "empty.txt", "");
        write(folder / "blank.txt", "\n \n\r\n");
        write(folder / "binary.txt", std::string_view("a\0b", 3));
        const std::pair<const char*, const char*> expected[] = {{"empty.txt", "holds no prompts"},
                                                                {"blank.txt", "holds no prompts"},
                                                                {"binary.txt", "binary"},
                                                                {"missing.txt", "cannot open"}};
        for (const auto& [name, mentioned] : expected) {
            const auto message = text::read_prompts(folder / name).message();
            QVERIFY2(message.find((folder / name).string()) != message.npos, message.c_str());
            QVERIFY2(message.find(mentioned) != message.npos, message.c_str());
        }
    }

    void a_file_is_read() {
        test::TemporaryFolder folder;
        write(folder / "p.txt", "one\ntwo\n");
        QCOMPARE(shown(text::read_prompts(folder / "p.txt", "d")), std::string("one/d|two/d"));
    }

    void the_built_in_set_is_readable() {
        const auto prompts = text::builtin_prompts();
        QVERIFY(!prompts.empty());
        for (const auto& prompt : prompts) QVERIFY(!prompt.text.empty() && !prompt.domain.empty());
    }
};

QTEST_APPLESS_MAIN(PromptsTest)
#include "tst_prompts.moc"
