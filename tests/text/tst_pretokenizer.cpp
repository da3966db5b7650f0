// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pretokenizer.h"

#include <QTest>

using namespace permafrost::text;

namespace {

std::string pieces(const char* name, std::string_view text) {
    auto pretokenizer = Pretokenizer::make(name);
    if (!pretokenizer.ok()) return pretokenizer.message();
    std::string joined;
    PieceWalk walk(pretokenizer.value(), text);
    for (auto piece = walk.next(); !piece.empty(); piece = walk.next())
        joined += (joined.empty() ? "" : "|") + std::string(piece);
    return joined;
}

} // namespace

class PretokenizerTest : public QObject {
    Q_OBJECT

  private slots:
    void text_is_cut_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* what, const char* name, const char* text, const char* expected) {
            QTest::addRow("%s, %s", name, what) << QString(name) << QString(text) << QString(expected);
        };
        row("words take the space before them", "gpt-2", "two words", "two| words");
        row("the last space of a run goes to the word", "gpt-2", "a   b", "a|  | b");
        row("trailing spaces stay together", "gpt-2", "a   ", "a|   ");
        row("digits stay together", "gpt-2", "in 12345", "in| 12345");
        row("contractions in lower case only", "gpt-2", "it's IT'S", "it|'s| IT|'|S");
        row("symbols leave the line end", "gpt-2", "x!!\n\ny", "x|!!|\n|\n|y");

        row("each digit alone", "smollm", "in 123", "in| |1|2|3");
        row("spaces before a digit stay together", "smollm", "a   1", "a|   |1");
        row("the last space of a run goes to the word", "smollm", "1   b", "1|  | b");
        row("contractions in lower case only", "smollm", "it's IT'S", "it|'s| IT|'|S");

        row("digits in threes from the left", "llama-bpe", "in 1234567", "in| |123|456|7");
        row("contractions in any case", "llama-bpe", "it's IT'S", "it|'s| IT|'S");
        row("a symbol before a word goes with it", "llama-bpe", "(a) _b", "(a|)| _|b");
        row("symbols take the line end", "llama-bpe", "x!!\n\ny", "x|!!\n\n|y");
        row("space up to the line end is one piece", "llama-bpe", "a  \n \n  b", "a|  \n \n| | b");

        row("each digit alone", "qwen2", "in 123", "in| |1|2|3");
        row("contractions in any case", "qwen2", "we'LL", "we|'LL");
        row("symbols take the line end", "qwen2", "x!!\r\ny", "x|!!\r\n|y");
    }
    void text_is_cut() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(pieces(name.toUtf8().constData(), text.toStdString())), expected);
    }

    void letters_numbers_and_spaces_are_those_of_unicode() {
        QCOMPARE(pieces("gpt-2", "é日 ½Ⅷ٣"), std::string("é日| ½Ⅷ٣"));
        QCOMPARE(pieces("gpt-2", "a\u00a0\u3000\u0085b"), std::string("a|\u00a0\u3000|\u0085|b"));
        // Not white space: MONGOLIAN VOWEL SEPARATOR, ZERO WIDTH SPACE.
        QCOMPARE(pieces("gpt-2", "a\u180eb\u200bc"), std::string("a|\u180e|b|\u200b|c"));
    }

    void letters_of_unicode_15_are_letters_whatever_the_library() {
        QCOMPARE(pieces("gpt-2", "a\U00031350\U0002ebf0\U0001e4d0"),
                 std::string("a\U00031350\U0002ebf0\U0001e4d0"));
        QCOMPARE(pieces("smollm", "a\U00011f50\U0001e4f9"), std::string("a|\U00011f50|\U0001e4f9"));
    }

    void invalid_bytes_count_as_symbols() {
        QCOMPARE(pieces("gpt-2", "ab \xFF\xC3!c\xE6\x97"), std::string("ab| \xFF\xC3!|c|\xE6\x97"));
    }

    void empty_text_has_no_pieces() { QCOMPARE(pieces("gpt-2", ""), std::string()); }

    void only_llama3_takes_whole_pieces() {
        QVERIFY(Pretokenizer::make("llama-bpe").value().ignores_merges());
        QVERIFY(!Pretokenizer::make("qwen2").value().ignores_merges());
        QVERIFY(!Pretokenizer::make("dbrx").value().ignores_merges());
    }

    void other_names_of_the_same_rules_are_known() {
        QCOMPARE(pieces("starcoder", "in 123 it's"), pieces("smollm", "in 123 it's"));
        QCOMPARE(pieces("llama3", "in 1234 IT'S"), pieces("llama-bpe", "in 1234 IT'S"));
        QCOMPARE(pieces("deepseek-r1-qwen", "in 1234 IT'S"), pieces("qwen2", "in 1234 IT'S"));
    }

    void unknown_name_is_an_error_that_lists_the_known() {
        const auto message = Pretokenizer::make("viking").message();
        for (const char* part : {"viking", "gpt-2", "smollm", "llama-bpe", "qwen2"})
            QVERIFY2(message.find(part) != message.npos, message.c_str());
    }

    void long_runs_are_cut_in_linear_time() {
        const std::string spaces(4'000'000, ' ');
        for (const char* name : {"gpt-2", "smollm", "llama-bpe", "qwen2", "gpt-4o", "tekken"})
            QCOMPARE(pieces(name, spaces + "x").size(), spaces.size() + 2);
        // Letters that count as both cases could be tried in every way.
        std::string letters;
        for (int i = 0; i < 400'000; ++i) letters += "\u4e00";
        for (const char* name : {"gpt-4o", "tekken"})
            QCOMPARE(pieces(name, letters + "1").size(), letters.size() + 2);
    }
};

QTEST_APPLESS_MAIN(PretokenizerTest)
#include "tst_pretokenizer.moc"
