// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/byte_alphabet.h"
#include "core/text/utf8.h"

#include <QTest>

using namespace permafrost::text;

class Utf8Test : public QObject {
    Q_OBJECT

  private slots:
    void valid_text_has_no_invalid_byte() {
        const std::string text =
            "plain ASCII that is longer than eight, é, 日本, 😀, \xEF\xBF\xBF, \xF4\x8F\xBF\xBF";
        QCOMPARE(first_invalid_utf8(text), text.size());
        QCOMPARE(first_invalid_utf8(""), 0u);
    }

    void invalid_bytes_are_found_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("repaired");
        QTest::newRow("stray continuation") << QByteArray("a\x80z") << QByteArray("a?z");
        QTest::newRow("never used") << QByteArray("\xFF\xFE") << QByteArray("??");
        QTest::newRow("truncated at the end") << QByteArray("12345678\xE6\x97") << QByteArray("12345678??");
        QTest::newRow("truncated in the middle") << QByteArray("\xF0\x9F\x98 x") << QByteArray("??? x");
        QTest::newRow("overlong slash") << QByteArray("\xC0\xAF") << QByteArray("??");
        QTest::newRow("overlong in three bytes") << QByteArray("\xE0\x9F\xBF") << QByteArray("???");
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << QByteArray("???");
        QTest::newRow("above U+10FFFF") << QByteArray("\xF4\x90\x80\x80") << QByteArray("????");
        QTest::newRow("valid after invalid") << QByteArray("\xC3\xC3\xA9") << QByteArray("?\xC3\xA9");
    }
    void invalid_bytes_are_found() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, repaired);
        QCOMPARE(QByteArray::fromStdString(replace_invalid_utf8(bytes.toStdString(), '?')), repaired);
        QCOMPARE(first_invalid_utf8(bytes.toStdString()), static_cast<std::size_t>(repaired.indexOf('?')));
    }

    void byte_alphabet_is_that_of_gpt2() {
        QCOMPARE(to_byte_alphabet("a b\n"), std::string("aĠbĊ"));
        QCOMPARE(to_byte_alphabet("é"), std::string("Ã©"));
        QCOMPARE(to_byte_alphabet(std::string(1, '\0')), std::string("Ā"));
        QCOMPARE(to_byte_alphabet("\x7F\xA0\xAD"), std::string("ġłŃ"));
    }

    void byte_alphabet_round_trips_every_byte() {
        for (int byte = 0; byte < 256; ++byte) {
            const std::string bytes(1, static_cast<char>(byte));
            QVERIFY(from_byte_alphabet(to_byte_alphabet(bytes)) == bytes);
        }
    }

    void text_outside_the_alphabet_stands_for_no_bytes() {
        for (const char* text : {"a b", "日本", "ń", "\xC4", "\xFF", "Ā\n"})
            QVERIFY(!from_byte_alphabet(text));
    }
};

QTEST_APPLESS_MAIN(Utf8Test)
#include "tst_utf8.moc"
