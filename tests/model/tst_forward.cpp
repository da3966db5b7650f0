// SPDX-License-Identifier: GPL-3.0-or-later
//
// The forward pass against plain loops in f64 (tests/support/naive_llama.h).
#include "core/model/output_head.h"
#include "core/quality/dense_evaluation.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/naive_llama.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <cmath>

using namespace permafrost;

namespace {

constexpr std::uint32_t vocabulary = test::tiny_llama_smallest_vocabulary;

test::TinyLlama small_model() {
    test::TinyLlama options;
    options.vocabulary = vocabulary;
    options.ffn = 65;
    return options;
}

/// Log-probabilities of all tokens of a tile's parts, each part's alone: (part, (token, vocabulary)).
std::vector<std::vector<float>> log_probabilities_of_tile(const formats::ModelFilePtr& file,
                                                          const text::Corpus& corpus, std::size_t threads) {
    ThreadPool pool(threads);
    model::Forward forward(file, model::read_model_config(*file).value(), pool);
    const auto tiles = model::cut_tiles(corpus);
    if (tiles.size() != 1 || !forward.begin_wave(corpus, tiles).ok()) return {};
    for (std::uint32_t layer = 0; layer < forward.config().layers; ++layer)
        if (!forward.load_layer(layer) || !forward.run_layer(model::gated_product)) return {};
    const std::size_t rows[] = {tiles[0].tokens};
    std::vector<float> logits(tiles[0].tokens * vocabulary);
    model::for_each_logit_panel(forward, rows, 1, [&](const model::LogitPanel& panel) {
        for (std::size_t row = 0; row < panel.logits().rows; ++row)
            std::copy_n(panel.logits().data + row * panel.logits().stride, panel.logits().columns,
                        logits.begin() + static_cast<std::ptrdiff_t>(row * vocabulary + panel.first_token));
    });
    std::vector<std::vector<float>> parts;
    for (const auto& part : tiles[0].parts) {
        auto& values = parts.emplace_back();
        for (std::size_t row = part.first_row; row < part.first_row + part.length; ++row) {
            double sum = 0;
            for (std::size_t i = 0; i < vocabulary; ++i)
                sum += std::exp(static_cast<double>(logits[row * vocabulary + i]));
            for (std::size_t i = 0; i < vocabulary; ++i)
                values.push_back(
                    static_cast<float>(static_cast<double>(logits[row * vocabulary + i]) - std::log(sum)));
        }
    }
    return parts;
}

template <class Expected>
double worst_difference(const std::vector<float>& found, const Expected& expected) {
    double worst = found.size() == expected.size() ? 0 : HUGE_VAL;
    for (std::size_t i = 0; i < found.size() && i < expected.size(); ++i) {
        const double difference = std::fabs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
        worst = difference <= worst ? worst : difference; // NaN counts
    }
    return worst;
}

} // namespace

class TestForward : public QObject {
    Q_OBJECT

    test::TemporaryFolder folder_;
    formats::ModelFilePtr file_;

  private slots:
    void initTestCase() {
        auto file = formats::open_model_file(test::write_tiny_llama(folder_.path(), small_model()).string());
        QVERIFY2(file.ok(), file.message().c_str());
        file_ = file.value();
    }

    void equals_plain_loops_at_every_length_data() {
        QTest::addColumn<int>("length");
        for (const int length : {1, 2, 15, 16, 17, 63, 64, 65, 128, 129})
            QTest::addRow("%d", length) << length;
    }
    void equals_plain_loops_at_every_length() {
        QFETCH(int, length);
        const auto corpus = test::random_corpus({static_cast<std::size_t>(length)}, vocabulary);
        const auto& tokens = corpus.sequences[0].tokens;
        const auto found = quality::next_token_log_probabilities(file_, tokens, 2);
        QVERIFY2(found.ok(), found.message().c_str());
        const double worst =
            worst_difference(found.value(), test::NaiveLlama(*file_).run(tokens).log_probabilities);
        QVERIFY2(worst < 5e-5, qPrintable(QString::number(worst)));
    }

    void layers_of_unequal_width_equal_plain_loops() {
        auto options = small_model();
        options.file_name = "unequal.gguf";
        options.layers = 3;
        options.ffn_by_layer = {33, 130, 1};
        const auto file = formats::open_model_file(test::write_tiny_llama(folder_.path(), options).string());
        QVERIFY2(file.ok(), file.message().c_str());
        const auto corpus = test::random_corpus({20}, vocabulary);
        const auto& tokens = corpus.sequences[0].tokens;
        const auto found = quality::next_token_log_probabilities(file.value(), tokens, 1);
        QVERIFY2(found.ok(), found.message().c_str());
        QVERIFY(worst_difference(found.value(),
                                 test::NaiveLlama(*file.value()).run(tokens).log_probabilities) < 5e-5);
    }

    void sequences_that_share_a_tile_do_not_see_each_other() {
        const auto corpus = test::random_corpus({1, 30, 64, 7, 65, 50, 2}, vocabulary, 5);
        const auto packed = log_probabilities_of_tile(file_, corpus, 1);
        QCOMPARE(packed.size(), corpus.sequences.size());
        for (std::size_t i = 0; i < packed.size(); ++i) {
            const auto alone = quality::next_token_log_probabilities(file_, corpus.sequences[i].tokens, 1);
            QVERIFY(alone.ok());
            QVERIFY(worst_difference(packed[i], alone.value()) < 1e-5);
        }
    }

    void the_number_of_threads_does_not_change_a_bit() {
        const auto corpus = test::random_corpus({70, 33, 90}, vocabulary, 6);
        QCOMPARE(log_probabilities_of_tile(file_, corpus, 1), log_probabilities_of_tile(file_, corpus, 3));
    }

    void later_tokens_do_not_change_earlier_predictions() {
        auto tokens = test::random_corpus({80}, vocabulary, 7).sequences[0].tokens;
        const auto before = quality::next_token_log_probabilities(file_, tokens, 1);
        for (std::size_t i = 70; i < 80; ++i)
            tokens[i] = (tokens[i] + 1) % static_cast<text::TokenId>(vocabulary);
        const auto after = quality::next_token_log_probabilities(file_, tokens, 1);
        QVERIFY(before.ok() && after.ok());
        const auto end = 70 * vocabulary;
        QVERIFY(std::equal(before->begin(), before->begin() + end, after->begin()));
        QVERIFY(!std::equal(before->begin() + end, before->end(), after->begin() + end));
    }

    void a_token_outside_the_vocabulary_is_an_error() {
        for (const text::TokenId token : {static_cast<text::TokenId>(vocabulary), -1, 1 << 30}) {
            const auto found = quality::next_token_log_probabilities(file_, {1, token}, 1);
            QVERIFY(!found.ok() && !found.cancelled());
            QVERIFY2(found.message().find("vocabulary") != std::string::npos, found.message().c_str());
        }
        QVERIFY(!quality::next_token_log_probabilities(file_, {}, 1).ok());
    }

    void a_stop_ends_each_step() {
        ThreadPool pool(1);
        model::Forward forward(file_, model::read_model_config(*file_).value(), pool);
        const auto corpus = test::random_corpus({10}, vocabulary);
        const auto tiles = model::cut_tiles(corpus);
        std::stop_source source;
        source.request_stop();
        QVERIFY(forward.begin_wave(corpus, tiles, source.get_token()).cancelled());
        QVERIFY(forward.begin_wave(corpus, tiles).ok());
        QVERIFY(!forward.load_layer(0, source.get_token()));
        QVERIFY(forward.load_layer(0));
        QVERIFY(!forward.run_layer(model::gated_product, source.get_token()));
    }

    void a_wave_may_follow_a_larger_one() {
        ThreadPool pool(1);
        model::Forward forward(file_, model::read_model_config(*file_).value(), pool);
        const auto large = test::random_corpus({200, 100}, vocabulary, 1),
                   small = test::random_corpus({9}, vocabulary, 2);
        std::vector<float> after_large, alone;
        const auto run = [&](const text::Corpus& corpus, model::Forward& pass, std::vector<float>& out) {
            const auto tiles = model::cut_tiles(corpus);
            if (!pass.begin_wave(corpus, tiles).ok() || !pass.load_layer(0) ||
                !pass.run_layer(model::gated_product))
                return;
            const auto hidden = pass.hidden(0);
            out.assign(hidden.data, hidden.data + tiles[0].tokens * hidden.stride);
        };
        run(large, forward, after_large);
        run(small, forward, after_large);
        model::Forward fresh(file_, model::read_model_config(*file_).value(), pool);
        run(small, fresh, alone);
        QVERIFY(!alone.empty());
        QCOMPARE(after_large, alone);
    }

    void down_norms_are_those_of_the_columns() {
        ThreadPool pool(2);
        model::Forward forward(file_, model::read_model_config(*file_).value(), pool);
        QVERIFY(forward.load_layer(1));
        const auto norms = forward.down_norms();
        const auto* down = reinterpret_cast<const float*>(file_->find("blk.1.ffn_down.weight")->bytes.data());
        QCOMPARE(norms.size(), std::size_t{65});
        for (std::size_t neuron = 0; neuron < norms.size(); ++neuron) {
            double squares = 0;
            for (std::size_t row = 0; row < 64; ++row)
                squares += static_cast<double>(down[row * 65 + neuron]) *
                           static_cast<double>(down[row * 65 + neuron]);
            QCOMPARE(norms[neuron], static_cast<float>(std::sqrt(squares)));
        }
    }
};

QTEST_APPLESS_MAIN(TestForward)
#include "tst_forward.moc"
