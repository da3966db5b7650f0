// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs that end when the masks of two halves of their text agree.
#include "core/masks/agreement.h"
#include "core/model/tile.h"
#include "tests/profile/run_fixture.h"
#include "tests/support/same_statistics.h"

#include <QtTest>

#include <algorithm>

using namespace permafrost;
using profile::LayerProfilePtr;
using profile::StabilityPoint;

namespace {

/// Compares as told: the n-th answer is that of the n-th wave, the last one that of all waves after.
profile::UntilStable told(std::vector<StabilityPoint> answers, std::uint32_t waves = 2) {
    auto wave = std::make_shared<std::size_t>(0);
    return {[wave, answers](auto, auto) { return answers[std::min((*wave)++, answers.size() - 1)]; },
            {0.9, 0.1, waves},
            "as told"};
}

const StabilityPoint agreeing{0, 10, 10, 10, 0}, differing{0, 10, 10, 1, 0}, nothing{0, 0, 0, 0, 0};

std::uint64_t tokens_in(std::span<const LayerProfilePtr> half) { return half.front()->tokens(); }

} // namespace

class TestRunUntilStable : public QObject {
    Q_OBJECT

    test::TemporaryFolder folder_;
    formats::ModelFilePtr file_;
    const text::Corpus corpus_ = test::run_corpus();
    std::string whole_; ///< SHA-256 of the profile of a plain run

    std::string sha(const profile::Profile& profile) {
        const auto written = profile::write_profile(profile, folder_ / "run.frost");
        return written.ok() ? written.value() : written.message();
    }
    std::string sha(const Result<profile::RunResult>& result) {
        return result.ok() ? sha(*result->profile) : result.message();
    }
    std::string sha_without_curve(const profile::Profile& profile) {
        auto copy = profile;
        copy.info.stability.reset();
        return sha(copy);
    }
    /// Waves of one tile each.
    profile::RunSettings settings(profile::UntilStable until, std::size_t threads = 1) {
        auto settings = test::run_settings(threads, 1);
        settings.until_stable = std::move(until);
        return settings;
    }
    Result<profile::RunResult> run(const profile::RunSettings& settings,
                                   const profile::RunObserver& observer = {},
                                   const std::stop_token& stop = {}) {
        return profile::run_profile(file_, corpus_, settings, observer, stop);
    }
    /// The sequences of the first tiles of the order, as they come in the text.
    text::Corpus of_first_tiles(std::size_t count) {
        const auto tiles = model::cut_tiles(corpus_);
        auto order = profile::spread_order(static_cast<std::uint32_t>(tiles.size()));
        order.resize(count);
        std::sort(order.begin(), order.end());
        std::vector<std::size_t> sequences;
        for (const auto tile : order)
            for (const auto& part : tiles[tile].parts) sequences.push_back(part.sequence);
        return text::chosen_sequences(corpus_, sequences);
    }

  private slots:
    void initTestCase() {
        const auto file =
            formats::open_model_file(test::write_tiny_llama(folder_.path(), test::run_model()).string());
        QVERIFY2(file.ok(), file.message().c_str());
        file_ = file.value();
        whole_ = sha(run(test::run_settings()));
        QVERIFY2(whole_.size() == 64, whole_.c_str());
        QCOMPARE(model::cut_tiles(corpus_).size(), std::size_t{9});
    }
    void init() { std::filesystem::remove(folder_ / "run.frost.resume"); }

    void ends_after_waves_in_a_row_that_agree() {
        const auto result = run(settings(told({differing, agreeing, differing, agreeing})));
        QVERIFY2(result.ok(), result.message().c_str());
        const auto& info = result->profile->info;
        QVERIFY(info.stability->reached());
        QCOMPARE(info.stability->curve.size(), std::size_t{5});
        QCOMPARE(info.stability->tokens_at_hand, corpus_.tokens);
        QCOMPARE(info.stability->neurons, std::uint64_t{65 + 40});
        QCOMPARE(result->tokens, info.tokens);
        QCOMPARE(info.stability->curve.back().tokens, info.tokens);
        QVERIFY(info.tokens < corpus_.tokens);
        QVERIFY(result->profile->complete());
    }

    void the_profile_is_that_of_a_run_over_the_text_it_used() {
        for (const std::uint32_t waves : {1u, 2u, 5u, 7u}) {
            const auto result = run(settings(told({agreeing}, waves), 2));
            QVERIFY2(result.ok(), result.message().c_str());
            const auto used = of_first_tiles(waves);
            QCOMPARE(result->tokens, used.tokens);
            const auto plain = profile::run_profile(file_, used, test::run_settings());
            QCOMPARE(sha_without_curve(*result->profile), sha(plain));
        }
    }

    void without_agreement_all_of_the_text_is_used() {
        for (const auto& answer : {differing, nothing}) {
            const auto result = run(settings(told({answer})));
            QVERIFY2(result.ok(), result.message().c_str());
            QVERIFY(!result->profile->info.stability->reached());
            QCOMPARE(result->profile->info.stability->curve.size(), std::size_t{9});
            QCOMPARE(sha_without_curve(*result->profile), whole_);
        }
    }

    void agreement_in_the_last_wave_uses_all_of_the_text_too() {
        const auto result = run(settings(told({agreeing}, 9)));
        QVERIFY(result.ok() && result->profile->info.stability->reached());
        QCOMPARE(sha_without_curve(*result->profile), whole_);
    }

    void halves_have_no_token_in_common_and_are_the_whole_together() {
        std::vector<std::uint64_t> a_tokens, b_tokens;
        std::vector<profile::LayerStatistics> merged;
        auto until = told({differing});
        until.compare = [&](std::span<const LayerProfilePtr> a, std::span<const LayerProfilePtr> b) {
            a_tokens.push_back(tokens_in(a));
            b_tokens.push_back(tokens_in(b));
            merged.clear();
            for (std::size_t layer = 0; layer < a.size(); ++layer) {
                merged.push_back(a[layer]->statistics());
                if (!merged.back().merge(b[layer]->statistics()).ok()) merged.pop_back();
            }
            return differing;
        };
        const auto result = run(settings(until, 2));
        QVERIFY(result.ok());
        const auto& curve = result->profile->info.stability->curve;
        for (std::size_t wave = 0; wave < curve.size(); ++wave) {
            QCOMPARE(a_tokens[wave] + b_tokens[wave], curve[wave].tokens);
            if (wave > 0) // tiles of even and odd index in turn
                QVERIFY((a_tokens[wave] > a_tokens[wave - 1]) == (wave % 2 == 0));
        }
        const auto plain = run(test::run_settings());
        QCOMPARE(merged.size(), plain->profile->layers.size());
        for (std::size_t layer = 0; layer < merged.size(); ++layer)
            QCOMPARE(test::difference(profile::LayerProfile(merged[layer]).statistics(),
                                      plain->profile->layers[layer]->statistics()),
                     std::string());
    }

    void bytes_do_not_depend_on_threads_or_observers() {
        auto until = told({});
        masks::FreezeRule rule;
        rule.method = masks::FreezeRule::Method::Quantile;
        rule.quantile = 0.3;
        until.compare = masks::halves_compared_by(rule);
        until.goal.jaccard = 0.5;
        const auto expected = sha(run(settings(until)));
        profile::RunObserver observer;
        profile::ProfilePtr last;
        observer.snapshot = [&](profile::ProfilePtr snapshot) { last = std::move(snapshot); };
        for (const std::size_t threads : {1u, 2u, 3u})
            QCOMPARE(sha(run(settings(until, threads), observer)), expected);
        QVERIFY(last && last->info.stability && !last->info.stability->curve.empty());
    }

    void snapshots_show_both_halves_together() {
        profile::RunObserver observer;
        profile::ProfilePtr last;
        observer.snapshot = [&](profile::ProfilePtr snapshot) { last = std::move(snapshot); };
        QVERIFY(run(settings(told({differing})), observer).ok());
        const auto plain = run(test::run_settings());
        for (std::size_t layer = 0; layer < last->layers.size(); ++layer)
            QCOMPARE(test::difference(last->layers[layer]->statistics(),
                                      plain->profile->layers[layer]->statistics()),
                     std::string());
    }

    void a_resumed_run_gives_the_same_bytes_data() {
        QTest::addColumn<int>("wave");
        QTest::addColumn<int>("layer");
        QTest::addColumn<bool>("often"); // whether checkpoints are written after each wave
        QTest::newRow("in the first wave") << 0 << 0 << true;
        QTest::newRow("inside the third") << 2 << 0 << true;
        QTest::newRow("inside the third, checkpoint on cancelling") << 2 << 0 << false;
        QTest::newRow("after the fourth, checkpoint on cancelling") << 3 << 1 << false;
    }
    void a_resumed_run_gives_the_same_bytes() {
        QFETCH(int, wave);
        QFETCH(int, layer);
        QFETCH(bool, often);
        masks::FreezeRule rule;
        rule.method = masks::FreezeRule::Method::Quantile;
        rule.quantile = 0.3;
        const profile::UntilStable until{masks::halves_compared_by(rule), {0.5, 0.2, 4}, "quantile:0.3"};
        const auto expected = run(settings(until));
        QVERIFY(expected.ok() && expected->profile->info.stability->curve.size() > 4);

        auto resumed = settings(until, 2);
        resumed.checkpoint = folder_ / "run.frost.resume";
        resumed.resume = true;
        resumed.checkpoint_interval = often ? std::chrono::duration<double>{} : std::chrono::hours(1);
        std::stop_source source;
        profile::RunObserver observer;
        observer.progress = [&](const profile::RunProgress& progress) {
            if (progress.wave == static_cast<std::uint32_t>(wave) &&
                progress.layer == static_cast<std::uint32_t>(layer))
                source.request_stop();
        };
        QVERIFY(run(resumed, observer, source.get_token()).cancelled());
        QCOMPARE(std::filesystem::exists(resumed.checkpoint), wave > 0);
        const auto result = run(resumed);
        QCOMPARE(sha(result), sha(expected));
        QCOMPARE(result->tokens<expected->tokens, wave> 0);
    }

    void a_checkpoint_of_another_kind_of_run_is_refused() {
        const auto checkpoint = folder_ / "run.frost.resume";
        const auto interrupt = [&](profile::RunSettings settings) {
            settings.checkpoint = checkpoint;
            settings.checkpoint_interval = {};
            std::stop_source source;
            profile::RunObserver observer;
            observer.progress = [&](const profile::RunProgress& progress) {
                if (progress.wave == 1) source.request_stop();
            };
            return run(settings, observer, source.get_token()).cancelled();
        };
        const auto refused = [&](profile::RunSettings settings, const std::string& words) {
            settings.checkpoint = checkpoint;
            settings.resume = true;
            const auto result = run(settings);
            return !result.ok() && result.message().find(words) != std::string::npos;
        };
        QVERIFY(interrupt(test::run_settings(1, 1)));
        QVERIFY(refused(settings(told({differing})), "that was not to end when stable"));
        QVERIFY(interrupt(settings(told({differing}))));
        QVERIFY(refused(test::run_settings(1, 1), "that was to end when stable"));
        QVERIFY(refused(settings(told({differing}, 3)), "other limits of stability"));
        auto another = told({differing});
        another.rule = "another";
        QVERIFY(refused(settings(another), "another rule"));
    }

    void shards_and_no_waves_are_refused() {
        auto shard = settings(told({agreeing}));
        shard.shards = 2;
        QVERIFY(run(shard).message().find("a shard cannot run until stable") != std::string::npos);
        QVERIFY(!run(settings(told({agreeing}, 0))).ok());
    }

    void prompts_are_those_that_were_used() {
        auto corpus = corpus_;
        for (std::size_t i = 0; i < corpus.sequences.size(); ++i) corpus.sequences[i].prompt = i / 2;
        auto some = settings(told({agreeing}, 1));
        some.prompts = corpus.sequences.size() / 2;
        const auto result = profile::run_profile(file_, corpus, some);
        QVERIFY(result.ok());
        const auto first_tile = model::cut_tiles(corpus).front();
        QCOMPARE(result->profile->info.sequences, std::uint64_t{first_tile.parts.size()});
        QCOMPARE(result->profile->info.prompts, std::uint64_t{(first_tile.parts.size() + 1) / 2});
    }

    void places_that_are_not_finite_are_named_by_the_sequences_used() {
        const auto model = test::write_tiny_llama(folder_.path(), test::run_model());
        // Neuron 3 of layer 0 is broken at every token.
        const auto broken = test::patched(folder_, model, "blk.0.ffn_gate.weight", {3 * 32},
                                          std::numeric_limits<float>::infinity());
        const auto result = profile::run_profile(broken, corpus_, settings(told({agreeing}, 3)));
        QVERIFY2(result.ok(), result.message().c_str());
        const auto plain = profile::run_profile(broken, of_first_tiles(3), test::run_settings());
        QVERIFY(plain.ok() && !plain->profile->info.non_finite.empty());
        QCOMPARE(sha_without_curve(*result->profile), sha(plain));
    }

    void a_file_keeps_the_curve() {
        const auto result = run(settings(told({differing, agreeing})));
        QVERIFY(result.ok());
        QVERIFY(sha(*result->profile).size() == 64);
        const auto read = profile::read_profile(folder_ / "run.frost");
        QVERIFY2(read.ok(), read.message().c_str());
        QVERIFY(read.value()->info.stability == result->profile->info.stability);
    }
};

QTEST_APPLESS_MAIN(TestRunUntilStable)
#include "tst_run_until_stable.moc"
