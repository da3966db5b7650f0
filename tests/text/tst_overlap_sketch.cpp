// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/overlap_sketch.h"

#include <QtTest>

#include <random>
#include <set>

using namespace permafrost::text;

class TestOverlapSketch : public QObject {
    Q_OBJECT

    static std::vector<TokenId> random_tokens(std::size_t count, std::uint32_t seed) {
        std::mt19937 random(seed);
        std::vector<TokenId> tokens;
        for (std::size_t i = 0; i < count; ++i) tokens.push_back(static_cast<TokenId>(random() % 5000));
        return tokens;
    }
    static Corpus corpus_of(const std::vector<std::vector<TokenId>>& sequences) {
        Corpus corpus;
        for (const auto& tokens : sequences) corpus.sequences.push_back({tokens, 0});
        return corpus;
    }
    /// What the share is, by comparing the sequences themselves.
    static double true_share(const Corpus& seen, const Corpus& other) {
        const auto grams = [](const Corpus& corpus) {
            std::set<std::vector<TokenId>> all;
            for (const auto& sequence : corpus.sequences)
                for (std::size_t i = 0; i + OverlapSketch::length <= sequence.tokens.size(); ++i)
                    all.emplace(sequence.tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                sequence.tokens.begin() +
                                    static_cast<std::ptrdiff_t>(i + OverlapSketch::length));
            return all;
        };
        const auto known = grams(seen), asked = grams(other);
        std::size_t shared = 0;
        for (const auto& gram : asked) shared += known.contains(gram) ? 1 : 0;
        return asked.empty() ? 0 : static_cast<double>(shared) / static_cast<double>(asked.size());
    }

  private slots:
    void a_small_corpus_is_known_exactly() {
        auto a = random_tokens(400, 1);
        const auto seen = corpus_of({a, random_tokens(300, 2)});
        a.resize(120);
        auto mixed = random_tokens(100, 3);
        mixed.insert(mixed.end(), a.begin(), a.end());
        const auto other = corpus_of({mixed, random_tokens(50, 4)});
        QCOMPARE(shared_share(sketch_of(seen), other), true_share(seen, other));
        QCOMPARE(shared_share(sketch_of(seen), seen), 1.0);
        QCOMPARE(shared_share(sketch_of(seen), corpus_of({random_tokens(500, 9)})), 0.0);
    }

    void a_large_corpus_is_estimated_data() {
        QTest::addColumn<int>("copied");
        for (const int copied : {0, 300, 2000, 10000}) QTest::addRow("%d", copied) << copied;
    }
    void a_large_corpus_is_estimated() {
        QFETCH(int, copied);
        const auto text = random_tokens(50000, 5);
        const auto seen = corpus_of({text});
        auto other_tokens = random_tokens(static_cast<std::size_t>(20000 - copied), 6);
        other_tokens.insert(other_tokens.end(), text.begin() + 1000, text.begin() + 1000 + copied);
        const auto other = corpus_of({other_tokens});
        const auto sketch = sketch_of(seen);
        QCOMPARE(sketch.smallest.size(), OverlapSketch::most);
        const double found = shared_share(sketch, other), expected = true_share(seen, other);
        QVERIFY2(std::abs(found - expected) < 0.1 && (copied == 0) == (found == 0),
                 qPrintable(QStringLiteral("%1 instead of %2").arg(found).arg(expected)));
    }

    void the_order_of_the_sequences_does_not_matter() {
        const auto a = random_tokens(2000, 7), b = random_tokens(2000, 8);
        QVERIFY(sketch_of(corpus_of({a, b})) == sketch_of(corpus_of({b, a})));
    }

    void short_texts_have_none() {
        QVERIFY(sketch_of(corpus_of({random_tokens(12, 1)})).smallest.empty());
        QCOMPARE(shared_share({}, corpus_of({random_tokens(100, 1)})), 0.0);
        QCOMPARE(shared_share(sketch_of(corpus_of({random_tokens(100, 1)})), corpus_of({{1, 2, 3}})), 0.0);
    }

    void it_is_written_and_read() {
        const auto sketch = sketch_of(corpus_of({random_tokens(5000, 1)}));
        QVERIFY(parse_overlap_sketch(to_string(sketch)) == sketch);
        QVERIFY(parse_overlap_sketch("13:") == OverlapSketch{});
        const auto one = std::string(15, '0') + "1";
        for (const auto& text : {std::string(), std::string("8:"), std::string("13:12"), "13:" + one + one,
                                 "13:" + std::string(16, 'x'), "13:" + std::string(16 * 1025, 'a')})
            QVERIFY(!parse_overlap_sketch(text));
    }
};

QTEST_APPLESS_MAIN(TestOverlapSketch)
#include "tst_overlap_sketch.moc"
