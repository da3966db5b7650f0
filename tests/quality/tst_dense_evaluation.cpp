// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/quality/dense_evaluation.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/naive_llama.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace permafrost;

namespace {

constexpr std::uint32_t vocabulary = test::tiny_llama_smallest_vocabulary, context = 20;

text::Corpus windows(std::size_t count) {
    return test::random_corpus(std::vector<std::size_t>(count, context), vocabulary);
}

struct Expected {
    std::uint64_t tokens = 0, hits = 0;
    double nll = 0, squares = 0;
};

/// Positions context/2 … context-2 of each window predict the token after them.
template <class LogProbabilities>
Expected score(const text::Corpus& corpus, LogProbabilities&& log_probabilities_of) {
    Expected expected;
    for (const auto& sequence : corpus.sequences) {
        const auto values = log_probabilities_of(sequence.tokens);
        for (std::size_t t = context / 2; t + 1 < sequence.tokens.size(); ++t) {
            const auto row = values.begin() + static_cast<std::ptrdiff_t>(t * vocabulary);
            const double nll = -static_cast<double>(row[sequence.tokens[t + 1]]);
            expected.nll += nll;
            expected.squares += nll * nll;
            expected.hits += std::max_element(row, row + vocabulary) - row == sequence.tokens[t + 1] ? 1 : 0;
            ++expected.tokens;
        }
    }
    return expected;
}

} // namespace

class TestDenseEvaluation : public QObject {
    Q_OBJECT

    test::TemporaryFolder folder_;
    formats::ModelFilePtr file_;

    Result<quality::Evaluation> evaluate(const text::Corpus& corpus, std::size_t threads = 1,
                                         std::uint32_t wave_tokens = 4096) {
        return quality::evaluate_dense(file_, corpus, {context, threads, wave_tokens});
    }
    void compare(const quality::Evaluation& found, const Expected& expected) {
        const auto n = static_cast<double>(expected.tokens);
        QCOMPARE(found.tokens, expected.tokens);
        QVERIFY(std::fabs(found.nll - expected.nll / n) < 1e-5);
        QVERIFY(std::fabs(found.perplexity / std::exp(expected.nll / n) - 1) < 1e-5);
        QCOMPARE(found.top1_accuracy, static_cast<double>(expected.hits) / n);
        const double variance = expected.squares / n - expected.nll / n * (expected.nll / n);
        const double error = std::exp(expected.nll / n) * std::sqrt(variance / (n - 1));
        QVERIFY(std::fabs(found.perplexity_error / error - 1) < 1e-4);
    }

  private slots:
    void initTestCase() {
        test::TinyLlama options;
        options.vocabulary = vocabulary;
        const auto file = formats::open_model_file(test::write_tiny_llama(folder_.path(), options).string());
        QVERIFY2(file.ok(), file.message().c_str());
        file_ = file.value();
    }

    void perplexity_is_that_of_the_second_halves() {
        const auto corpus = windows(30);
        const auto found = evaluate(corpus);
        QVERIFY2(found.ok(), found.message().c_str());
        QCOMPARE(found->tokens, std::uint64_t{30 * 9});
        compare(found.value(), score(corpus, [&](const auto& tokens) {
                    return quality::next_token_log_probabilities(file_, tokens, 1).value();
                }));
    }
    void perplexity_is_that_of_plain_loops() {
        const auto corpus = windows(12);
        const test::NaiveLlama oracle(*file_);
        const auto found = evaluate(corpus);
        QVERIFY2(found.ok(), found.message().c_str());
        compare(found.value(),
                score(corpus, [&](const auto& tokens) { return oracle.run(tokens).log_probabilities; }));
    }

    void division_of_the_work_does_not_change_a_bit() {
        const auto corpus = windows(40);
        const auto one = evaluate(corpus, 1, 256), other = evaluate(corpus, 3, 4096);
        QVERIFY(one.ok() && other.ok());
        QCOMPARE(one->nll, other->nll);
        QCOMPARE(one->top1_accuracy, other->top1_accuracy);
    }

    void log_probabilities_sum_to_one() {
        const auto tokens = windows(1).sequences[0].tokens;
        const auto found = quality::next_token_log_probabilities(file_, tokens, 2);
        QVERIFY(found.ok());
        for (std::size_t t = 0; t < tokens.size(); ++t) {
            double sum = 0;
            for (std::size_t i = 0; i < vocabulary; ++i)
                sum += std::exp(static_cast<double>(found->at(t * vocabulary + i)));
            QVERIFY(std::fabs(sum - 1) < 1e-5);
        }
    }

    void progress_rises() {
        double last = 0;
        const auto found = quality::evaluate_dense(file_, windows(40), {context, 1, 256}, [&](double share) {
            QVERIFY(share > last && share <= 1);
            last = share;
        });
        QVERIFY(found.ok());
        QVERIFY(last > 0.5);
    }

    void a_stop_cancels() {
        std::stop_source source;
        const auto found = quality::evaluate_dense(
            file_, windows(40), {context, 1, 256}, [&](double) { source.request_stop(); },
            source.get_token());
        QVERIFY(found.cancelled());
    }

    void windows_too_short_to_score_are_an_error() {
        const auto found =
            quality::evaluate_dense(file_, test::random_corpus({2, 2}, vocabulary), {2, 1, 4096});
        QVERIFY(!found.ok() && !found.cancelled());
        QVERIFY2(found.message().find("window") != std::string::npos, found.message().c_str());
    }

    void a_model_that_computes_no_numbers_is_an_error() {
        test::TinyLlama options;
        options.vocabulary = vocabulary;
        auto bytes = test::tiny_llama_bytes(options);
        const auto content = text_of(file_->find("blk.1.ffn_up.weight")->bytes);
        const float not_a_number = std::numeric_limits<float>::quiet_NaN();
        std::memcpy(bytes.data() + bytes.find(content), &not_a_number, sizeof not_a_number);
        QVERIFY(write_file(folder_ / "broken.gguf", bytes).ok());
        const auto broken = formats::open_model_file((folder_ / "broken.gguf").string());
        QVERIFY(broken.ok());
        const auto found = quality::evaluate_dense(broken.value(), windows(3), {context, 1, 4096});
        QVERIFY(!found.ok() && !found.cancelled());
        QVERIFY2(found.message().find("not finite") != std::string::npos, found.message().c_str());
    }
};

QTEST_APPLESS_MAIN(TestDenseEvaluation)
#include "tst_dense_evaluation.moc"
