// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models with broken weights: the broken neurons are named and left out, everything else goes on.
#include "tests/profile/run_fixture.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace permafrost;
using test::run_settings;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr std::size_t hidden = 32, neurons = 65, broken = 20;

std::vector<std::size_t> down_column(std::size_t neuron) {
    std::vector<std::size_t> elements;
    for (std::size_t row = 0; row < hidden; ++row) elements.push_back(row * neurons + neuron);
    return elements;
}

} // namespace

class TestRunNonFinite : public QObject {
    Q_OBJECT

    test::TemporaryFolder folder_;
    std::filesystem::path path_;
    const text::Corpus corpus_ = test::run_corpus();
    profile::ProfilePtr without_neuron_; ///< of the model whose neuron `broken` of layer 0 writes nothing

    profile::ProfilePtr run(const formats::ModelFilePtr& file, std::size_t threads = 2,
                            std::uint32_t wave = 512) {
        const auto result = profile::run_profile(file, corpus_, run_settings(threads, wave));
        return result.ok() ? result->profile : nullptr;
    }

  private slots:
    void initTestCase() {
        path_ = test::write_tiny_llama(folder_.path(), test::run_model());
        without_neuron_ =
            run(test::patched(folder_, path_, "blk.0.ffn_down.weight", down_column(broken), 0.0f));
        QVERIFY(without_neuron_);
        QVERIFY(without_neuron_->info.non_finite.empty());
    }

    void a_broken_neuron_is_located_and_the_others_go_on_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<int>("element");
        QTest::addColumn<float>("value");
        const int row = static_cast<int>(broken * hidden), column = static_cast<int>(broken);
        QTest::newRow("gate, first weight") << "ffn_gate" << row << not_a_number;
        QTest::newRow("gate, last weight") << "ffn_gate" << row + 31 << infinite;
        QTest::newRow("up") << "ffn_up" << row + 5 << not_a_number;
        QTest::newRow("up infinite") << "ffn_up" << row << -infinite;
        QTest::newRow("down") << "ffn_down" << column << not_a_number;
        QTest::newRow("down infinite") << "ffn_down" << 31 * 65 + column << infinite;
    }
    void a_broken_neuron_is_located_and_the_others_go_on() {
        QFETCH(QString, tensor);
        QFETCH(int, element);
        QFETCH(float, value);
        const auto profile = run(test::patched(folder_, path_, "blk.0." + tensor.toStdString() + ".weight",
                                               {static_cast<std::size_t>(element)}, value));
        QVERIFY(profile);
        QVERIFY(profile->complete());
        const auto& places = profile->info.non_finite;
        QVERIFY(!places.empty());
        QCOMPARE(places[0].sequence, std::uint64_t{0});
        for (const auto& place : places) {
            QCOMPARE(place.layer, 0u);
            QCOMPARE(place.neuron, static_cast<std::uint32_t>(broken));
        }
        const auto& first = *profile->layers[0];
        QCOMPARE(first.count(broken), std::uint64_t{0});
        QVERIFY(std::isnan(first.mean()[broken]));
        QCOMPARE(first.non_finite(), corpus_.tokens);
        for (std::size_t i = 0; i < neurons; ++i) {
            if (i == broken) continue;
            QVERIFY(first.statistics().sum[i] == without_neuron_->layers[0]->statistics().sum[i]);
            QVERIFY(first.statistics().sum_squares[i] ==
                    without_neuron_->layers[0]->statistics().sum_squares[i]);
        }
        const auto& second = profile->layers[1]->statistics();
        QVERIFY(second.sum == without_neuron_->layers[1]->statistics().sum);
        QVERIFY(second.below == without_neuron_->layers[1]->statistics().below);
    }

    void broken_runs_have_equal_bytes_too() {
        const auto file =
            test::patched(folder_, path_, "blk.0.ffn_up.weight", {3, 40, 700, 2000}, not_a_number);
        std::vector<std::string> shas;
        for (const std::size_t threads : {1u, 2u, 3u})
            for (const std::uint32_t wave : {256u, 4096u}) {
                const auto profile = run(file, threads, wave);
                QVERIFY(profile);
                QCOMPARE(profile->info.non_finite.size(), std::size_t{16});
                shas.push_back(profile::write_profile(*profile, folder_ / "broken.frost").value());
            }
        for (const auto& sha : shas) QCOMPARE(sha, shas[0]);
    }

    void a_broken_embedding_row_only_spoils_its_sequences() {
        // Token 5 is not in the first sequence; after it, everything in its sequence is broken.
        const auto file = test::patched(folder_, path_, "token_embd.weight", {5 * hidden}, not_a_number);
        const auto profile = run(file);
        QVERIFY(profile);
        std::uint64_t spoiled = 0, first_sequence = corpus_.sequences.size();
        for (std::size_t s = 0; s < corpus_.sequences.size(); ++s) {
            const auto& tokens = corpus_.sequences[s].tokens;
            const auto found = std::find(tokens.begin(), tokens.end(), 5);
            spoiled += static_cast<std::uint64_t>(std::count(tokens.begin(), tokens.end(), 5));
            if (found != tokens.end()) first_sequence = std::min<std::uint64_t>(first_sequence, s);
        }
        QVERIFY(spoiled > 0);
        QVERIFY(profile->layers[0]->statistics().non_finite[0] >= spoiled);
        QVERIFY(profile->layers[0]->statistics().non_finite[0] < corpus_.tokens);
        QCOMPARE(profile->info.non_finite[0].sequence, first_sequence);
    }
};

QTEST_APPLESS_MAIN(TestRunNonFinite)
#include "tst_run_non_finite.moc"
