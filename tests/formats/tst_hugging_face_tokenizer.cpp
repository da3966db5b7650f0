// SPDX-License-Identifier: GPL-3.0-or-later
//
// tokenizer.json against the ids of Hugging Face's `tokenizers`, and lists as GGUF has them against `sentencepiece`; see
// make_tokenizer_fixtures.py. Damaged and unsupported files are refused.
#include "core/base/atomic_file.h"
#include "core/formats/hugging_face_tokenizer.h"
#include "core/model/read_tokenizer.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <functional>
#include <random>

using namespace permafrost;
using nlohmann::json;
using text::TokenizerSpec;

namespace {

const std::string folder = PERMAFROST_TEST_DATA "/formats/data/tokenizers/";

json read_json(const std::string& path) { return json::parse(read_text_file(path).value()); }

Result<std::shared_ptr<const text::Tokenizer>> open(const std::filesystem::path& from,
                                                    std::uint64_t vocabulary = 0) {
    formats::Metadata metadata;
    PERMAFROST_CHECK(formats::add_hugging_face_tokenizer(from, vocabulary, metadata));
    return model::read_tokenizer(
        formats::ModelFile(formats::FileFormat::Safetensors, from.string(), metadata, {}, "", nullptr));
}

void check_texts(const text::Tokenizer& tokenizer, const json& texts, const json& ids, bool parse_special) {
    QVERIFY(texts.size() > 40 && texts.size() == ids.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const json found = tokenizer.encode(texts[i].get<std::string>(), parse_special);
        const auto shown = texts[i].dump() + " gave " + found.dump() + " instead of " + ids[i].dump();
        QVERIFY2(found == ids[i], shown.c_str());
    }
}

} // namespace

class TestHuggingFaceTokenizer : public QObject {
    Q_OBJECT

    static void says(const std::string& error, const char* words) {
        QVERIFY2(error.find(words) != std::string::npos, error.empty() ? "no error" : error.c_str());
    }

  private slots:
    void ids_are_those_of_tokenizers_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("first"); // the token before each text
        QTest::addColumn<QString>("last");
        const auto row = [](const char* name, const char* first, const char* last) {
            QTest::newRow(name) << name << first << last;
        };
        row("llama2", "<s>", "");
        row("mistral", "<s>", "");
        row("metaspace", "<s>", "</s>");
        row("gemma", "<bos>", "");
        row("phi3", "", "");
        row("llama3", "<|begin_of_text|>", "");
        row("qwen2", "", "");
        row("smollm", "", "");
        row("gpt2", "", "");
        row("gpt4o", "", "");
        row("tekken", "", "");
        row("unigram", "", "");
        row("unigram-unknown", "", "");
    }
    void ids_are_those_of_tokenizers() {
        QFETCH(QString, name);
        QFETCH(QString, first);
        QFETCH(QString, last);
        const auto tokenizer = open(folder + name.toStdString());
        QVERIFY2(tokenizer.ok(), tokenizer.message().c_str());
        const auto expected = read_json(folder + name.toStdString() + "/ids.json");
        check_texts(*tokenizer.value(), expected["texts"], expected["ids"], true);
        const auto& made = *tokenizer.value();
        QCOMPARE(made.adds_bos(), !first.isEmpty());
        QCOMPARE(made.adds_eos(), !last.isEmpty());
        if (made.adds_bos()) QCOMPARE(made.decode({{*made.bos()}}), first.toStdString());
        if (made.adds_eos()) QCOMPARE(made.decode({{*made.eos()}}), last.toStdString());
    }

    void ids_are_those_of_sentencepiece_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"bpe", "bpe-user"}) QTest::newRow(kind) << kind;
    }
    void ids_are_those_of_sentencepiece() {
        QFETCH(QString, kind);
        const auto fixture = read_json(folder + "sentencepiece.json")[kind.toStdString()];
        TokenizerSpec spec;
        spec.model = "llama";
        spec.tokens = fixture["tokens"].get<std::vector<std::string>>();
        spec.scores = fixture["scores"].get<std::vector<double>>();
        for (const int type : fixture["types"])
            spec.types.push_back(static_cast<TokenizerSpec::TokenType>(type));
        spec.unknown = 0;
        if (!kind.endsWith(QStringLiteral("-user"))) spec.space_prefix = TokenizerSpec::SpacePrefix::Always;
        const auto tokenizer = text::make_tokenizer(spec);
        QVERIFY2(tokenizer.ok(), tokenizer.message().c_str());
        check_texts(*tokenizer.value(), fixture["texts"], fixture["ids"], false);
    }

    void bytes_that_are_no_characters_come_back() {
        for (const char* name : {"llama2", "gemma", "llama3", "unigram"}) {
            const auto tokenizer = open(folder + name).value();
            const std::string text = "a\xff\xc3(\xe2\x82"
                                     "b\x80";
            const auto back = tokenizer->decode(tokenizer->encode(text));
            QVERIFY2(back == text || back == " " + text, back.c_str());
        }
    }

    void a_larger_embedding_is_filled_up() {
        const auto known = open(folder + "llama2").value()->vocabulary_size();
        QCOMPARE(open(folder + "llama2", known + 3).value()->vocabulary_size(), known + 3);
        says(open(folder + "llama2", known - 1).message(), "different models");
        // Special tokens that were added beyond the embedding are left out, as Gemma 3's of pictures.
        const auto without_special = open(folder + "phi3", 900); // <|end|> and two more have ids above
        QVERIFY2(without_special.ok(), without_special.message().c_str());
        QCOMPARE(without_special.value()->vocabulary_size(), std::size_t{900});
        QVERIFY(without_special.value()->encode("<|end|>", true).size() > 1);
    }

    void gaps_between_added_tokens_are_filled() {
        test::TemporaryFolder copy;
        auto content = read_json(folder + "smollm/tokenizer.json");
        content["added_tokens"].push_back({{"id", 950}, {"content", "<far>"}, {"special", true}});
        QVERIFY(write_file(copy / "tokenizer.json", content.dump()).ok());
        const auto tokenizer = open(copy.path());
        QVERIFY2(tokenizer.ok(), tokenizer.message().c_str());
        QCOMPARE(tokenizer.value()->vocabulary_size(), std::size_t{951});
        QCOMPARE(tokenizer.value()->encode("<far>", true), std::vector<text::TokenId>{950});
    }

    void the_chat_template_is_kept() {
        test::TemporaryFolder copy;
        std::filesystem::copy(folder + "smollm", copy.path(), std::filesystem::copy_options::recursive);
        QVERIFY(write_file(copy / "tokenizer_config.json", R"({"chat_template": "{{ a }}"})").ok());
        formats::Metadata metadata;
        const auto added = formats::add_hugging_face_tokenizer(copy.path(), 0, metadata);
        QVERIFY2(added.ok(), added.message().c_str());
        QVERIFY(metadata.string("tokenizer.chat_template"));
        QCOMPARE(*metadata.string("tokenizer.chat_template"), std::string("{{ a }}"));
        QVERIFY(write_file(copy / "chat_template.jinja", "{{ b }}").ok());
        QVERIFY(formats::add_hugging_face_tokenizer(copy.path(), 0, metadata).ok());
        QCOMPARE(*metadata.string("tokenizer.chat_template"), std::string("{{ b }}"));
    }

    void what_is_not_supported_is_named_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("patch"); // JSON merge patch
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* patch, const char* words) {
            QTest::addRow("%s %s", name, patch) << QString(name) << QString(patch) << QString(words);
        };
        row("llama2", R"({"model": {"type": "WordPiece"}})", "\"WordPiece\"");
        row("llama2", R"({"model": {"vocab": null}})", "no vocab");
        row("llama2", R"({"model": {"vocab": {"gap": 5000}}})", "though there are ids up to 5000");
        row("llama2", R"({"model": {"vocab": {"same": 300}}})", "have the same id 300");
        row("llama2", R"({"model": {"vocab": {"far": 99999999999}}})", "different models");
        row("llama2", R"({"model": {"vocab": {"x": -1}}})", "has no id");
        row("llama2", R"({"model": {"merges": null}})", "no merges");
        row("llama2", R"({"model": {"merges": ["abc"]}})", "merge 0 is no pair");
        row("llama2", R"({"model": {"merges": [["a", "b", "c"]]}})", "merge 0 is no pair");
        row("llama2", R"({"model": {"merges": [["qq", "zz"]]}})", "does not exist");
        row("llama2", R"({"model": {"dropout": 0.1}})", "dropout");
        row("llama2", R"({"model": {"end_of_word_suffix": "</w>"}})", "end_of_word_suffix");
        row("llama2", R"({"normalizer": {"type": "Lowercase", "normalizers": null}})",
            "normalizer is not supported");
        row("llama2", R"({"normalizer": null})", "keeps its spaces");
        row("llama2", R"({"pre_tokenizer": {"type": "Whitespace"}})", "pre-tokenizer is not supported");
        row("llama2", R"({"post_processor": {"type": "BertProcessing"}})", "post-processor is not supported");
        row("llama2", R"({"post_processor": {"single": []}})", "post-processor is not supported");
        row("llama2", R"({"added_tokens": [{"id": 5}]})", "no content or no id");
        row("llama2", R"({"added_tokens": [{"id": 5, "content": "other"}]})", "which is that of");
        row("llama2", R"({"added_tokens": [{"id": 0, "content": "<unk>", "single_word": true}]})",
            "single_word");
        row("llama2", R"({"added_tokens": [{"id": 0, "content": "<unk>", "normalized": true}]})",
            "normalized");
        row("llama3", R"({"pre_tokenizer": {"pretokenizers": [{"type": "Split"}]}})",
            "pre-tokenizer is not supported");
        row("qwen2", R"({"model": {"ignore_merges": true}})", "pre-tokenizer is not supported");
        row("qwen2", R"({"normalizer": {"type": "NFKC"}})", "normalizer is not supported");
        row("gpt2", R"({"pre_tokenizer": {"add_prefix_space": true}})", "pre-tokenizer is not supported");
        row("unigram", R"({"model": {"vocab": [["<unk>", 0.0], ["a"]]}})", "no pair of text and score");
        row("unigram", R"({"model": {"vocab": [["<unk>", 0.0], ["a", 0.0], ["a", 1.0]]}})", "is there twice");
        row("unigram", R"({"normalizer": {"type": "Precompiled", "normalizers": null}})",
            "normalizer is not supported");
        row("gpt2", R"({"added_tokens": {"id": "x"}})", "added token");
        row("gpt2", R"({"pre_tokenizer": {"type": "Sequence", "pretokenizers": 7}})", "not supported");
        row("llama2", R"({"normalizer": {"normalizers": [{"type": "Prepend", "prepend": 7}]}})", "damaged");
    }
    void what_is_not_supported_is_named() {
        QFETCH(QString, name);
        QFETCH(QString, patch);
        QFETCH(QString, words);
        auto content = read_json(folder + name.toStdString() + "/tokenizer.json");
        content.merge_patch(json::parse(patch.toStdString()));
        test::TemporaryFolder copy;
        QVERIFY(write_file(copy / "tokenizer.json", content.dump()).ok());
        says(open(copy.path()).message(), words.toUtf8().constData());
    }

    void damaged_files_never_crash() {
        test::TemporaryFolder copy;
        std::mt19937 random(3);
        for (const char* name : {"llama2", "llama3", "unigram"}) {
            const auto content = read_text_file(folder + name + "/tokenizer.json").value();
            for (int i = 0; i < 60; ++i) {
                auto damaged = content;
                for (int k = 0; k < 4; ++k) damaged[random() % damaged.size()] = "0\"{}[],:ax"[random() % 10];
                QVERIFY(write_file(copy / "tokenizer.json", damaged).ok());
                if (const auto tokenizer = open(copy.path()); tokenizer.ok())
                    tokenizer.value()->encode("some text");
            }
        }
        QVERIFY(write_file(copy / "tokenizer.json", std::string(100000, '[')).ok());
        says(open(copy.path()).message(), "nested too deeply");
        QVERIFY(write_file(copy / "tokenizer.json", "[]").ok());
        says(open(copy.path()).message(), "no JSON object");
    }
};

QTEST_APPLESS_MAIN(TestHuggingFaceTokenizer)
#include "tst_hugging_face_tokenizer.moc"
