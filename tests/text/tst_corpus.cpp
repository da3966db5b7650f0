// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/corpus.h"
#include "tests/support/byte_vocabulary.h"

#include <QTest>

#include <stop_token>

using namespace permafrost;
using Ids = std::vector<text::TokenId>;

namespace {

constexpr text::TokenId bos = 256;

// Ids are bytes, and 256 is BOS.
std::shared_ptr<const text::Tokenizer> bytes_tokenizer(bool add_bos = false) {
    auto spec = test::byte_vocabulary();
    spec.bos = test::add_token(spec, "<s>", text::TokenizerSpec::TokenType::Control);
    spec.add_bos = add_bos;
    return text::make_tokenizer(spec).value();
}

std::vector<Ids> tokens_of(const text::Corpus& corpus) {
    std::vector<Ids> list;
    for (const auto& sequence : corpus.sequences) list.push_back(sequence.tokens);
    return list;
}

text::Corpus prompts_corpus(const std::vector<text::Prompt>& prompts, std::uint32_t context,
                            bool add_bos = false) {
    return text::cut_prompts(*bytes_tokenizer(add_bos), prompts, context).value();
}

} // namespace

class CorpusTest : public QObject {
    Q_OBJECT

  private slots:
    void text_is_cut_into_whole_windows() {
        const auto corpus = text::cut_text(*bytes_tokenizer(), "abcdefgh", 3).value();
        QCOMPARE(tokens_of(corpus), (std::vector<Ids>{{'a', 'b', 'c'}, {'d', 'e', 'f'}}));
        QCOMPARE(corpus.tokens, 6u);
        QCOMPARE(corpus.dropped_tokens, 2u);
        QCOMPARE(corpus.domains, std::vector<std::string>{""});
    }

    // llama-perplexity: BOS goes before the whole text, then stands in for the first token of every window.
    void bos_is_the_first_token_of_each_window() {
        const auto corpus = text::cut_text(*bytes_tokenizer(true), "abcdefgh", 3).value();
        QCOMPARE(tokens_of(corpus), (std::vector<Ids>{{bos, 'a', 'b'}, {bos, 'd', 'e'}, {bos, 'g', 'h'}}));
        QCOMPARE(corpus.dropped_tokens, 0u);
    }

    void control_tokens_in_a_text_are_text() {
        QCOMPARE(tokens_of(text::cut_text(*bytes_tokenizer(), "<s>", 3).value()),
                 (std::vector<Ids>{{'<', 's', '>'}}));
    }

    void control_tokens_are_parsed_on_request() {
        QCOMPARE(tokens_of(text::cut_text(*bytes_tokenizer(), "a<s>b", 3, true).value()),
                 (std::vector<Ids>{{'a', bos, 'b'}}));
        const auto corpus =
            text::cut_prompts(*bytes_tokenizer(true), {{"<s>a", ""}, {"<s>", ""}}, 4, {}, true);
        QCOMPARE(tokens_of(corpus.value()), (std::vector<Ids>{{bos, 'a'}})); // not twice
    }

    void too_short_text_or_context_is_an_error() {
        const auto message = text::cut_text(*bytes_tokenizer(), "ab", 3).message();
        QVERIFY2(message.find("2 tokens, fewer than one window of 3") != message.npos, message.c_str());
        QVERIFY(!text::cut_text(*bytes_tokenizer(), "", 3).ok());
        QVERIFY(!text::cut_text(*bytes_tokenizer(), "abc", 1).ok());
        QVERIFY(!text::cut_text(*bytes_tokenizer(), "abc", 0).ok());
        QVERIFY(!text::cut_prompts(*bytes_tokenizer(), {{"abc", ""}}, 1).ok());
    }

    void each_prompt_is_a_sequence() {
        const auto corpus = prompts_corpus({{"ab", ""}, {"", ""}, {"cde", ""}}, 8);
        QCOMPARE(tokens_of(corpus), (std::vector<Ids>{{'a', 'b'}, {'c', 'd', 'e'}}));
        QCOMPARE(corpus.tokens, 5u);
        QCOMPARE(corpus.dropped_tokens, 0u);
    }

    void a_long_prompt_becomes_several_sequences() {
        QCOMPARE(tokens_of(prompts_corpus({{"abcde", ""}}, 2)),
                 (std::vector<Ids>{{'a', 'b'}, {'c', 'd'}, {'e'}}));
    }

    void each_sequence_of_a_prompt_begins_with_bos() {
        QCOMPARE(tokens_of(prompts_corpus({{"abc", ""}, {"d", ""}}, 3, true)),
                 (std::vector<Ids>{{bos, 'a', 'b'}, {bos, 'c'}, {bos, 'd'}}));
    }

    void domains_are_listed_once_in_order_of_appearance() {
        const auto corpus = prompts_corpus({{"a", "code"}, {"b", ""}, {"c", "code"}}, 4);
        QCOMPARE(corpus.domains, (std::vector<std::string>{"code", ""}));
        QCOMPARE(corpus.sequences[0].domain, 0u);
        QCOMPARE(corpus.sequences[1].domain, 1u);
        QCOMPARE(corpus.sequences[2].domain, 0u);
    }

    void no_prompts_is_an_error() {
        QVERIFY(!text::cut_prompts(*bytes_tokenizer(), {}, 4).ok());
        QVERIFY(!text::cut_prompts(*bytes_tokenizer(true), {{"", ""}}, 4).ok());
    }

    void stop_is_obeyed() {
        std::stop_source source;
        source.request_stop();
        QVERIFY(text::cut_prompts(*bytes_tokenizer(), {{"a", ""}}, 4, source.get_token()).cancelled());
    }

    // sha256sum of the sequence's length as u64 and its ids as i32: printf '\2\0\0\0\0\0\0\0a\0\0\0b\0\0\0' |
    // sha256sum
    void hash_is_over_lengths_and_ids() {
        QCOMPARE(prompts_corpus({{"ab", ""}}, 4).sha256,
                 std::string("1fad6d6cf8f690260102b1ab4af4e47351127ade570283045ac5c46c299bcfc7"));
    }

    void hash_tells_borders_but_not_domains() {
        const auto hash = [](const std::vector<text::Prompt>& prompts) {
            return prompts_corpus(prompts, 8).sha256;
        };
        QVERIFY(hash({{"ab", ""}, {"c", ""}}) != hash({{"a", ""}, {"bc", ""}}));
        QVERIFY(hash({{"ab", ""}}) != hash({{"ba", ""}}));
        QCOMPARE(hash({{"ab", "x"}}), hash({{"ab", "y"}}));
    }
};

QTEST_APPLESS_MAIN(CorpusTest)
#include "tst_corpus.moc"
