// SPDX-License-Identifier: GPL-3.0-or-later
//
// The oracle is Hugging Face's `tokenizers`, see make_fixtures.py.
#include "tests/text/fixture.h"

#include <QTest>

using namespace permafrost;
using nlohmann::json;

class SmallVocabularyTest : public QObject {
    Q_OBJECT

    json fixture_;

    text::TokenizerSpec specification(const std::string& pre) const {
        text::TokenizerSpec spec;
        spec.model = "gpt2";
        spec.pre = pre;
        spec.tokens = fixture_["tokens"].get<std::vector<std::string>>();
        spec.merges = fixture_["merges"].get<std::vector<std::string>>();
        return spec;
    }

  private slots:
    void initTestCase() { fixture_ = test::read_fixture("small_vocabulary.json"); }

    void ids_are_those_of_the_oracle_data() {
        QTest::addColumn<QString>("pre");
        for (const char* pre : {"gpt-2", "smollm", "llama-bpe", "qwen2"}) QTest::newRow(pre) << QString(pre);
    }
    void ids_are_those_of_the_oracle() {
        QFETCH(QString, pre);
        const auto name = pre.toStdString();
        const auto tokenizer = text::make_tokenizer(specification(name));
        QVERIFY2(tokenizer.ok(), tokenizer.message().c_str());
        QVERIFY(fixture_["cases"].size() > 40);
        for (const auto& item : fixture_["cases"]) {
            test::check_ids(*tokenizer.value(), item["text"], item[name]);
            const auto ids = item[name].get<std::vector<text::TokenId>>();
            QCOMPARE(tokenizer.value()->decode(ids), item["text"].get<std::string>());
        }
    }

    void special_tokens_are_found_as_by_the_oracle() {
        auto spec = specification("gpt-2");
        for (const auto& type : fixture_["types"])
            spec.types.push_back(static_cast<text::TokenizerSpec::TokenType>(type.get<int>()));
        const auto tokenizer = text::make_tokenizer(spec);
        QVERIFY2(tokenizer.ok(), tokenizer.message().c_str());
        for (const auto& item : fixture_["special_cases"]) {
            const auto text = item["text"].get<std::string>();
            QCOMPARE(json(tokenizer.value()->encode(text)).dump(), item["ordinary"].dump());
            QCOMPARE(json(tokenizer.value()->encode(text, true)).dump(), item["special"].dump());
        }
    }
};

QTEST_APPLESS_MAIN(SmallVocabularyTest)
#include "tst_small_vocabulary.moc"
