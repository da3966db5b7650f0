// SPDX-License-Identifier: GPL-3.0-or-later
//
// A masked variant against the same model whose weights were changed by hand: rows of ffn_up set to zero make h zero, and
// a bias of the down projection adds what a mean would have added.
#include "core/quality/dense_evaluation.h"
#include "core/quality/paired_evaluation.h"
#include "core/tensor/decode.h"
#include "tests/support/naive_llama.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>

using namespace permafrost;
using quality::FrozenLayer;
using quality::MaskedModel;

namespace {

constexpr std::uint32_t vocabulary = 96, context = 24;

formats::ModelFilePtr family(const std::string& name) {
    return formats::open_model_file(PERMAFROST_TEST_DATA "/model/data/families/" + name + ".gguf").value();
}

text::Corpus windows(std::size_t count) {
    return test::random_corpus(std::vector<std::size_t>(count, context), vocabulary, 5);
}

/// The model with frozen neurons' rows of ffn_up set to zero, and values folded into ffn_down.bias.
struct EditedModel {
    std::deque<std::vector<std::byte>> bytes;
    formats::ModelFilePtr file;

    EditedModel(const formats::ModelFilePtr& from, const MaskedModel& variant) {
        auto tensors = from->tensors();
        for (auto& view : tensors) {
            const auto layer = view.name.starts_with("blk.") ? std::stoul(view.name.substr(4)) : 0;
            const bool up = view.name.ends_with("ffn_up.weight"), bias = view.name.ends_with("ffn_down.bias");
            const bool up_bias = view.name.ends_with("ffn_up.bias");
            if (!up && !bias && !up_bias) continue;
            auto& copy = bytes.emplace_back(view.bytes.begin(), view.bytes.end());
            const auto& frozen = variant.layers[layer];
            for (std::size_t i = 0; i < frozen.neurons.size(); ++i) {
                if (up) std::memset(copy.data() + frozen.neurons[i] * view.row_bytes(), 0, view.row_bytes());
                if (up_bias) std::memset(copy.data() + frozen.neurons[i] * sizeof(float), 0, sizeof(float));
                if (bias && !frozen.values.empty())
                    fold(*from, layer, frozen.neurons[i], frozen.values[i], copy);
            }
            view.bytes = ByteSpan(copy);
            view.in_file = false;
        }
        file = std::make_shared<formats::ModelFile>(formats::FileFormat::Gguf, "edited", from->metadata(),
                                                    tensors, "", from);
    }

    static void fold(const formats::ModelFile& from, std::size_t layer, std::uint32_t neuron, float value,
                     std::vector<std::byte>& bias) {
        const auto* down = from.find("blk." + std::to_string(layer) + ".ffn_down.weight");
        std::vector<float> row(down->columns());
        for (std::size_t i = 0; i < down->rows(); ++i) {
            tensor::decode_rows(*down, i, 1, row.data());
            float sum = 0;
            std::memcpy(&sum, bias.data() + i * sizeof sum, sizeof sum);
            sum += row[neuron] * value;
            std::memcpy(bias.data() + i * sizeof sum, &sum, sizeof sum);
        }
    }
};

MaskedModel every_third(std::size_t layers, std::size_t first_layer, bool with_values = false) {
    MaskedModel variant{"every third", std::vector<FrozenLayer>(layers)};
    for (std::size_t layer = first_layer; layer < layers; ++layer)
        for (std::uint32_t neuron = 1; neuron < 20; neuron += 3) {
            variant.layers[layer].neurons.push_back(neuron);
            if (with_values) variant.layers[layer].values.push_back(0.1f * static_cast<float>(neuron) - 1.0f);
        }
    return variant;
}

struct Expected {
    std::vector<double> kl;
    double difference = 0; ///< sum of nll
    std::size_t tokens = 0, agreed = 0, hits = 0;
};

Expected compare_by_hand(const formats::ModelFilePtr& dense, const formats::ModelFilePtr& masked,
                         const text::Corpus& corpus) {
    Expected expected;
    for (const auto& sequence : corpus.sequences) {
        const auto p = quality::next_token_log_probabilities(dense, sequence.tokens, 1).value();
        const auto q = quality::next_token_log_probabilities(masked, sequence.tokens, 1).value();
        for (std::size_t t = context / 2; t + 1 < sequence.tokens.size(); ++t) {
            const float* a = p.data() + t * vocabulary;
            const float* b = q.data() + t * vocabulary;
            double kl = 0;
            for (std::size_t i = 0; i < vocabulary; ++i)
                kl += std::exp(static_cast<double>(a[i])) *
                      (static_cast<double>(a[i]) - static_cast<double>(b[i]));
            expected.kl.push_back(kl);
            const auto target = static_cast<std::size_t>(sequence.tokens[t + 1]);
            expected.difference += static_cast<double>(a[target]) - static_cast<double>(b[target]);
            const auto first = std::max_element(b, b + vocabulary) - b;
            expected.agreed += std::max_element(a, a + vocabulary) - a == first ? 1 : 0;
            expected.hits += static_cast<std::size_t>(first) == target ? 1 : 0;
            ++expected.tokens;
        }
    }
    return expected;
}

} // namespace

class TestPairedEvaluation : public QObject {
    Q_OBJECT

    static Result<quality::PairedEvaluation> evaluate(const formats::ModelFilePtr& file,
                                                      const text::Corpus& corpus,
                                                      const std::vector<MaskedModel>& variants,
                                                      std::size_t threads = 1) {
        return quality::evaluate_paired(file, corpus, variants, {context, threads, 4096, false});
    }

  private slots:
    void a_mask_equals_changed_weights_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("first_layer");
        QTest::addColumn<bool>("folded");
        QTest::newRow("llama, from the first layer") << "llama" << 0 << false;
        QTest::newRow("llama, last layer only") << "llama" << 1 << false;
        QTest::newRow("biases, values folded") << "llama-biases" << 0 << true;
        QTest::newRow("gemma 3, norm after the FFN") << "gemma3" << 1 << false;
        QTest::newRow("gemma 2, soft caps") << "gemma2" << 0 << false;
    }
    void a_mask_equals_changed_weights() {
        QFETCH(QString, name);
        QFETCH(int, first_layer);
        QFETCH(bool, folded);
        const auto file = family(name.toStdString());
        const auto layers = file->metadata().unsigned_integer(
            *file->metadata().string("general.architecture") + ".block_count");
        const auto variant = every_third(*layers, static_cast<std::size_t>(first_layer), folded);
        const auto corpus = windows(5);
        const auto expected = compare_by_hand(file, EditedModel(file, variant).file, corpus);
        const auto found = evaluate(file, corpus, {variant});
        QVERIFY2(found.ok(), found.message().c_str());
        const auto& comparison = found->masked.at(0);
        const auto n = static_cast<double>(expected.tokens);
        QCOMPARE(found->dense.tokens, expected.tokens);
        double kl = 0;
        for (const double value : expected.kl) kl += value / n;
        QVERIFY(kl > 1e-3);
        QVERIFY(std::fabs(comparison.kl_mean - kl) < 1e-5);
        QVERIFY(std::fabs(comparison.kl_max - *std::max_element(expected.kl.begin(), expected.kl.end())) <
                1e-4);
        QVERIFY(std::fabs(std::log(comparison.perplexity_ratio) - expected.difference / n) < 1e-5);
        QCOMPARE(comparison.top1_agreement, static_cast<double>(expected.agreed) / n);
        QCOMPARE(comparison.masked.top1_accuracy, static_cast<double>(expected.hits) / n);
    }

    void an_empty_mask_changes_nothing_at_all() {
        const auto file = family("qwen2");
        const auto found = evaluate(file, windows(3), {{"nothing", std::vector<FrozenLayer>(2)}});
        QVERIFY2(found.ok(), found.message().c_str());
        const auto& comparison = found->masked.at(0);
        QCOMPARE(comparison.kl_mean, 0.0);
        QCOMPARE(comparison.kl_max, 0.0);
        QCOMPARE(comparison.perplexity_ratio, 1.0);
        QCOMPARE(comparison.top1_agreement, 1.0);
        QCOMPARE(comparison.accuracy_retained, 1.0);
    }

    void a_mask_that_changes_no_value_has_no_divergence() {
        // Neurons whose rows of ffn_up are zero already: another branch, the same numbers.
        const auto file = family("llama");
        const auto variant = every_third(2, 0);
        const EditedModel edited(file, variant);
        const auto found = evaluate(edited.file, windows(3), {variant});
        QVERIFY2(found.ok(), found.message().c_str());
        QCOMPARE(found->masked.at(0).kl_max, 0.0);
        QCOMPARE(found->masked.at(0).perplexity_ratio, 1.0);
    }

    void neither_threads_nor_other_variants_change_a_bit() {
        const auto file = family("gemma3");
        const auto early = every_third(4, 0), late = every_third(4, 3), values = every_third(4, 2, true);
        const auto corpus = windows(30);
        const auto together = evaluate(file, corpus, {early, late, values}, 3);
        QVERIFY2(together.ok(), together.message().c_str());
        for (const auto& [index, variant] : {std::pair{0, early}, std::pair{1, late}, std::pair{2, values}}) {
            const auto alone = evaluate(file, corpus, {variant}, 1);
            QVERIFY(alone.ok());
            const auto& a = together->masked.at(static_cast<std::size_t>(index));
            const auto& b = alone->masked.at(0);
            QCOMPARE(a.kl_mean, b.kl_mean);
            QCOMPARE(a.kl_p99, b.kl_p99);
            QCOMPARE(a.masked.nll, b.masked.nll);
            QCOMPARE(together->dense.nll, alone->dense.nll);
        }
    }

    void masks_of_another_model_are_refused() {
        const auto file = family("llama");
        const auto layers = evaluate(file, windows(2), {every_third(3, 0)});
        QVERIFY(!layers.ok() && layers.message().find("3 layers, the model 2") != std::string::npos);
        auto wide = every_third(2, 0);
        wide.layers[1].neurons.push_back(48);
        const auto neurons = evaluate(file, windows(2), {wide});
        QVERIFY(!neurons.ok() && neurons.message().find("neuron 48") != std::string::npos);
    }

    void a_stop_cancels_between_layers() {
        std::stop_source source;
        quality::EvaluationObserver observer;
        observer.progress = [&](double) { source.request_stop(); };
        const auto found = quality::evaluate_paired(family("llama"), windows(3), {every_third(2, 0)},
                                                    {context, 1, 4096, false}, observer, source.get_token());
        QVERIFY(found.cancelled());
    }

    void waves_report_what_is_known_so_far() {
        std::vector<std::uint64_t> tokens;
        quality::EvaluationObserver observer;
        observer.wave_done = [&](const quality::PairedEvaluation& so_far) {
            tokens.push_back(so_far.dense.tokens);
            QCOMPARE(so_far.masked.size(), std::size_t{1});
        };
        const auto found = quality::evaluate_paired(family("llama"), windows(30), {every_third(2, 0)},
                                                    {context, 1, 256, false}, observer);
        QVERIFY(found.ok());
        QVERIFY(tokens.size() > 1);
        QCOMPARE(tokens.back(), found->dense.tokens);
        QVERIFY(std::is_sorted(tokens.begin(), tokens.end()));
    }
};

QTEST_APPLESS_MAIN(TestPairedEvaluation)
#include "tst_paired_evaluation.moc"
