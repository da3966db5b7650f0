// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"
#include "tests/support/byte_vocabulary.h"

#include <QTest>

#include <thread>

using namespace permafrost;
using text::TokenId;
using Ids = std::vector<TokenId>;
using Type = text::TokenizerSpec::TokenType;

namespace {

std::shared_ptr<const text::Tokenizer> make(text::TokenizerSpec spec) {
    auto tokenizer = text::make_tokenizer(std::move(spec));
    if (!tokenizer.ok()) qFatal("%s", tokenizer.message().c_str());
    return tokenizer.value();
}

std::string error_of(text::TokenizerSpec spec) { return text::make_tokenizer(std::move(spec)).message(); }

} // namespace

class ByteLevelBpeTest : public QObject {
    Q_OBJECT

  private slots:
    void without_merges_ids_are_bytes() {
        const auto tokenizer = make(test::byte_vocabulary());
        QCOMPARE(tokenizer->encode("A é"), (Ids{65, 32, 0xC3, 0xA9}));
        QCOMPARE(tokenizer->encode(""), Ids{});
    }

    void earlier_merges_go_first() {
        // By rank: "b c" before "a b", so that "abc" is a + bc although "ab" could be made first from the
        // left.
        const auto tokenizer = make(test::byte_vocabulary({"b c", "a b", "a bc"}));
        QCOMPARE(tokenizer->encode("abc"), Ids{258});
        QCOMPARE(tokenizer->encode("abd"), (Ids{257, 'd'}));
        QCOMPARE(tokenizer->encode("abcd"), (Ids{258, 'd'}));
    }

    void of_equal_merges_the_leftmost_goes_first() {
        const auto tokenizer = make(test::byte_vocabulary({"a a"}));
        QCOMPARE(tokenizer->encode("aaa"), (Ids{256, 'a'}));
        QCOMPARE(tokenizer->encode("aaaaa"), (Ids{256, 256, 'a'}));
    }

    void merges_do_not_cross_pieces() {
        const auto tokenizer = make(test::byte_vocabulary({"a Ġ", "Ġ b"}));
        QCOMPARE(tokenizer->encode("a b"), (Ids{'a', 257}));
    }

    void repeated_pieces_get_the_same_ids() {
        const auto tokenizer = make(test::byte_vocabulary({"Ġ t", "h e", "Ġt he"}));
        Ids expected;
        std::string text;
        for (int i = 0; i < 1000; ++i) {
            text += " the t";
            expected.insert(expected.end(), {258, 256});
        }
        QCOMPARE(tokenizer->encode(text), expected);
    }

    void a_long_word_merges_fully() {
        const auto tokenizer = make(test::byte_vocabulary({"a a", "aa aa", "aaaa aaaa"}));
        QCOMPARE(tokenizer->encode(std::string(1 << 20, 'a')), Ids(1 << 17, 258));
    }

    void whole_pieces_are_taken_where_the_pretokenizer_says_so() {
        auto spec = test::byte_vocabulary({}, "llama-bpe");
        const auto whole = test::add_token(spec, "Ġword");
        QCOMPARE(make(spec)->encode(" word"), Ids{whole});
        QCOMPARE(make(spec)->encode(" words").size(), 6u);
        spec.pre = "qwen2";
        QCOMPARE(make(spec)->encode(" word").size(), 5u);
    }

    void control_tokens_are_text_unless_asked_for() {
        auto spec = test::byte_vocabulary();
        const auto end = test::add_token(spec, "<end>", Type::Control);
        const auto tokenizer = make(spec);
        QCOMPARE(tokenizer->encode("a<end>b", true), (Ids{'a', end, 'b'}));
        QCOMPARE(tokenizer->encode("a<end>b"), (Ids{'a', '<', 'e', 'n', 'd', '>', 'b'}));
    }

    void user_defined_tokens_are_always_matched() {
        auto spec = test::byte_vocabulary({"a <", "> b"});
        const auto tag = test::add_token(spec, "<tag>", Type::UserDefined);
        QCOMPARE(make(spec)->encode("a<tag>b<tag>"), (Ids{'a', tag, 'b', tag}));
    }

    void longer_special_tokens_claim_their_place_first() {
        auto spec = test::byte_vocabulary();
        const auto two = test::add_token(spec, "xx", Type::UserDefined);
        const auto three = test::add_token(spec, "xyx", Type::UserDefined);
        // A left-to-right match would find "xx" at the start.
        QCOMPARE(make(spec)->encode("xxyxx"), (Ids{'x', three, 'x'}));
        QCOMPARE(make(spec)->encode("xxx"), (Ids{two, 'x'}));
    }

    void decode_gives_the_text_back() {
        auto spec = test::byte_vocabulary({"Ġ t", "h e", "Ġt he", "Ã ©"});
        const auto end = test::add_token(spec, "<|fin é|>", Type::Control);
        const auto tokenizer = make(spec);
        const std::string text = "the the\tcafé\r\n<|fin é|> 日本 😀";
        const auto ids = tokenizer->encode(text, true);
        QVERIFY(std::find(ids.begin(), ids.end(), end) != ids.end());
        QCOMPARE(tokenizer->decode(ids), text);
        QCOMPARE(tokenizer->decode(tokenizer->encode(text)), text);
    }

    void invalid_utf8_keeps_its_bytes_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("stray") << QByteArray("a\x80\x81 b");
        QTest::newRow("truncated") << QByteArray("word \xE6\x97");
        QTest::newRow("overlong") << QByteArray("\xC0\xAF\xE0\x80\xAF");
        QTest::newRow("surrogates") << QByteArray("x\xED\xA0\xBD\xED\xB8\x80y");
        QTest::newRow("too large") << QByteArray("\xF4\x90\x80\x80\xF8\x88\x80\x80\x80\xFF\xFE");
        QTest::newRow("nul") << QByteArray("a\0b\0", 4);
    }
    void invalid_utf8_keeps_its_bytes() {
        QFETCH(QByteArray, bytes);
        const auto text = bytes.toStdString();
        Ids expected;
        for (const char byte : text) expected.push_back(static_cast<std::uint8_t>(byte));
        for (const char* pre : {"gpt-2", "smollm", "llama-bpe", "qwen2"}) {
            const auto tokenizer = make(test::byte_vocabulary({}, pre));
            QCOMPARE(tokenizer->encode(text), expected);
            QCOMPARE(tokenizer->decode(expected), text);
        }
    }

    void bytes_without_a_token_are_left_out() {
        auto spec = test::byte_vocabulary({"a b"});
        spec.tokens['x'] = "unused";
        QCOMPARE(make(spec)->encode("axbab"), (Ids{'a', 'b', 256}));
    }

    void unknown_ids_decode_to_nothing() {
        const auto tokenizer = make(test::byte_vocabulary());
        QCOMPARE(tokenizer->decode(Ids{'a', -1, 256, 1 << 30, 'b'}), std::string("ab"));
    }

    void facts_of_the_model_file_are_kept() {
        auto spec = test::byte_vocabulary({"a b"});
        spec.bos = 1;
        spec.eos = 2;
        spec.add_bos = true;
        const auto tokenizer = make(spec);
        QCOMPARE(tokenizer->vocabulary_size(), 257u);
        QVERIFY(tokenizer->bos() == 1 && tokenizer->eos() == 2 && tokenizer->adds_bos());
    }

    void damaged_specifications_are_errors_data() {
        QTest::addColumn<int>("damage");
        QTest::addColumn<QString>("mentioned");
        const char* mentions[] = {"\"wordpiece\" is not supported; known are: gpt2",
                                  "\"odd\" is not supported; known are gpt-2",
                                  "no tokens",
                                  "257 tokens but 3 token types",
                                  "merge 1 of the tokenizer, \"nogap\"",
                                  "needs the token \"b日\"",
                                  "merge 1 of the tokenizer, \"\"",
                                  "BOS token is 257",
                                  "EOS token is -1",
                                  "asks for a BOS token"};
        for (int i = 0; i < 10; ++i) QTest::addRow("%s", mentions[i]) << i << QString(mentions[i]);
    }
    void damaged_specifications_are_errors() {
        QFETCH(int, damage);
        QFETCH(QString, mentioned);
        auto spec = test::byte_vocabulary({"a b"});
        switch (damage) {
        case 0:
            spec.model = "wordpiece";
            break;
        case 1:
            spec.pre = "odd";
            break;
        case 2:
            spec.tokens.clear();
            break;
        case 3:
            spec.types.resize(3);
            break;
        case 4:
            spec.merges.push_back("nogap");
            break;
        case 5:
            spec.merges.push_back("a b日");
            break;
        case 6:
            spec.merges.push_back("");
            break;
        case 7:
            spec.bos = 257;
            break;
        case 8:
            spec.eos = -1;
            break;
        case 9:
            spec.add_bos = true;
            break;
        }
        const auto message = QString::fromStdString(error_of(spec));
        QVERIFY2(message.contains(mentioned), qPrintable(message));
    }

    void threads_share_one_tokenizer() {
        const auto tokenizer = make(test::byte_vocabulary({"Ġ t", "h e", "Ġt he"}));
        std::string text;
        for (int i = 0; i < 2000; ++i) text += " the " + std::to_string(i * 7919);
        const auto expected = tokenizer->encode(text);
        std::vector<Ids> results(4);
        {
            std::vector<std::jthread> threads;
            for (auto& result : results) threads.emplace_back([&] { result = tokenizer->encode(text); });
        }
        for (const auto& result : results) QCOMPARE(result, expected);
    }
};

QTEST_APPLESS_MAIN(ByteLevelBpeTest)
#include "tst_byte_level_bpe.moc"
