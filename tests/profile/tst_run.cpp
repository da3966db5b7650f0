// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole runs over a tiny model: the same bytes however the work is divided, and the figures of plain loops.
#include "tests/profile/run_fixture.h"
#include "tests/support/same_statistics.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace permafrost;
using test::run_settings;

class TestRun : public QObject {
    Q_OBJECT

    test::TemporaryFolder folder_;
    std::filesystem::path path_;
    formats::ModelFilePtr file_;
    text::Corpus corpus_ = test::run_corpus();
    std::string expected_; ///< SHA-256 of the profile of an undivided run of one thread

    std::string sha(const profile::Profile& profile) {
        const auto written = profile::write_profile(profile, folder_ / "run.frost");
        return written.ok() ? written.value() : written.message();
    }
    std::string sha(const Result<profile::RunResult>& result) {
        return result.ok() ? sha(*result->profile) : result.message();
    }
    Result<profile::RunResult> run(const profile::RunSettings& settings,
                                   const profile::RunObserver& observer = {},
                                   const std::stop_token& stop = {}) {
        return profile::run_profile(file_, corpus_, settings, observer, stop);
    }

  private slots:
    void initTestCase() {
        path_ = test::write_tiny_llama(folder_.path(), test::run_model());
        const auto file = formats::open_model_file(path_.string());
        QVERIFY2(file.ok(), file.message().c_str());
        file_ = file.value();
        expected_ = sha(run(run_settings()));
        QVERIFY2(expected_.size() == 64, expected_.c_str());
    }

    void bytes_do_not_depend_on_threads_or_waves_data() {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("wave_tokens");
        for (const int threads : {1, 2, 4})
            for (const int wave_tokens : {1, 256, 700, 4096})
                QTest::addRow("%d threads, waves of %d", threads, wave_tokens) << threads << wave_tokens;
    }
    void bytes_do_not_depend_on_threads_or_waves() {
        QFETCH(int, threads);
        QFETCH(int, wave_tokens);
        QCOMPARE(sha(run(run_settings(static_cast<std::size_t>(threads),
                                      static_cast<std::uint32_t>(wave_tokens)))),
                 expected_);
    }

    void observers_do_not_change_the_bytes() {
        profile::RunObserver observer;
        observer.progress = [](const profile::RunProgress&) {};
        observer.snapshot = [](const profile::ProfilePtr&) {};
        int asked = 0;
        observer.paused = [&] { return ++asked % 2 == 1; };
        QCOMPARE(sha(run(run_settings(2, 256), observer)), expected_);
        QVERIFY(asked > 2);
    }

    void shards_merge_to_the_whole_in_any_order() {
        for (const std::uint32_t shards : {2u, 3u}) {
            std::vector<profile::ProfilePtr> parts;
            std::uint64_t tokens = 0;
            for (std::uint32_t shard = 1; shard <= shards; ++shard) {
                auto settings = run_settings(2, 256 * shard);
                settings.shard = shard;
                settings.shards = shards;
                const auto result = run(settings);
                QVERIFY2(result.ok(), result.message().c_str());
                QVERIFY(!result->profile->complete());
                tokens += result->tokens;
                parts.push_back(result->profile);
            }
            QCOMPARE(tokens, corpus_.tokens);
            std::sort(parts.begin(), parts.end());
            do {
                const auto merged = profile::merge_profiles(parts);
                QVERIFY2(merged.ok(), merged.message().c_str());
                QVERIFY(merged.value()->complete());
                QCOMPARE(sha(*merged.value()), expected_);
            } while (std::next_permutation(parts.begin(), parts.end()));
        }
    }

    void a_stop_ends_the_run_at_once() {
        for (const std::size_t threads : {1u, 2u}) {
            std::stop_source source;
            int reports = 0;
            profile::RunObserver observer;
            observer.progress = [&](const profile::RunProgress&) {
                ++reports;
                source.request_stop();
            };
            QVERIFY(run(run_settings(threads, 256), observer, source.get_token()).cancelled());
            QCOMPARE(reports, 1);
        }
        std::stop_source source;
        source.request_stop();
        QVERIFY(run(run_settings(), {}, source.get_token()).cancelled());
    }

    void a_stop_ends_a_pause() {
        std::stop_source source;
        profile::RunObserver observer;
        int asked = 0;
        observer.paused = [&] {
            if (++asked == 3) source.request_stop();
            return true;
        };
        QVERIFY(run(run_settings(), observer, source.get_token()).cancelled());
        QCOMPARE(asked, 3);
    }

    void progress_rises_to_the_whole() {
        std::vector<profile::RunProgress> reports;
        profile::RunObserver observer;
        observer.progress = [&](const profile::RunProgress& progress) { reports.push_back(progress); };
        QVERIFY(run(run_settings(1, 512), observer).ok());
        QVERIFY(reports.size() > 4);
        QCOMPARE(reports.size(), std::size_t{2} * reports[0].waves);
        for (std::size_t i = 0; i < reports.size(); ++i) {
            QCOMPARE(reports[i].wave, static_cast<std::uint32_t>(i / 2));
            QCOMPARE(reports[i].layer, static_cast<std::uint32_t>(i % 2));
            QCOMPARE(reports[i].tokens_total, corpus_.tokens);
            QVERIFY(i == 0 || reports[i].share > reports[i - 1].share);
        }
        QVERIFY(std::fabs(reports.back().share - 1) < 1e-12);
        QCOMPARE(reports.back().tokens_done, corpus_.tokens);
    }

    void snapshots_come_for_each_layer_and_do_not_change() {
        std::vector<profile::ProfilePtr> snapshots;
        std::vector<std::string> when_taken;
        profile::RunObserver observer;
        observer.snapshot = [&](profile::ProfilePtr snapshot) {
            when_taken.push_back(sha(*snapshot));
            snapshots.push_back(std::move(snapshot));
        };
        const auto result = run(run_settings(2, 1024), observer);
        QVERIFY2(result.ok(), result.message().c_str());
        QVERIFY(snapshots.size() >= 4);
        for (std::size_t i = 0; i < snapshots.size(); ++i) QCOMPARE(sha(*snapshots[i]), when_taken[i]);
        QVERIFY(snapshots[0]->layers[0] && !snapshots[0]->layers[1]);
        QVERIFY(snapshots[1]->layers[0] && snapshots[1]->layers[1]);
        QVERIFY(snapshots[2]->layers[0]->tokens() > snapshots[2]->layers[1]->tokens());
        QVERIFY(!snapshots[snapshots.size() - 2]->complete());
        QCOMPARE(when_taken.back(), expected_);
    }

    void figures_are_those_of_plain_loops() {
        const auto result = run(run_settings(2));
        QVERIFY(result.ok());
        const test::NaiveLlama oracle(*file_);
        std::vector<std::vector<test::RawSequence>> by_layer(oracle.layers());
        for (const auto& sequence : corpus_.sequences) {
            auto ffn = oracle.run(sequence.tokens).ffn;
            for (std::size_t layer = 0; layer < ffn.size(); ++layer)
                by_layer[layer].push_back(std::move(ffn[layer]));
        }
        for (std::size_t layer = 0; layer < by_layer.size(); ++layer) {
            const auto& found = *result->profile->layers[layer];
            const auto neurons = found.neurons();
            QCOMPARE(std::size_t{neurons}, oracle.neurons(layer));
            QCOMPARE(found.tokens(), corpus_.tokens);
            const auto naive =
                test::naive_statistics(by_layer[layer], neurons, 100, found.statistics().down_norm);
            QCOMPARE(found.statistics().tokens_by_position, naive.tokens_by_position);
            QCOMPARE(found.statistics().transitions, naive.transitions);
            for (std::size_t i = 0; i < neurons; ++i) {
                const auto expected = test::naive_neuron(by_layer[layer], neurons, i);
                const double small = 1e-5 * expected.rms;
                QVERIFY(std::fabs(found.mean()[i] - expected.mean) < small);
                QVERIFY(std::fabs(found.variance()[i] - expected.variance) < 1e-5 * expected.variance);
                QVERIFY(std::fabs(found.peak()[i] - expected.peak) < 1e-5 * expected.peak);
                QVERIFY(std::fabs(found.statistics().minimum[i] - naive.minimum[i]) < 1e-5 * expected.peak);
                QVERIFY(std::fabs(found.statistics().maximum[i] - naive.maximum[i]) < 1e-5 * expected.peak);
                const double moves = fixed_point::to_double(naive.transition_sum[i]);
                QVERIFY(std::fabs(fixed_point::to_double(found.statistics().transition_sum[i]) - moves) <
                        1e-5 * moves);
                const auto& edges = profile::magnitude_bins::edges();
                for (std::size_t edge = 0; edge < edges.size(); ++edge) {
                    // A value at an edge may fall on either side of it.
                    QVERIFY(found.below(edge)[i] >= expected.below(edges[edge] * (1 - 1e-4f)));
                    QVERIFY(found.below(edge)[i] <= expected.below(edges[edge] * (1 + 1e-4f)));
                }
            }
        }
    }

    void describes_what_it_did() {
        auto settings = run_settings(2);
        settings.prompts = 7;
        const auto result = run(settings);
        QVERIFY(result.ok());
        const auto& info = result->profile->info;
        QCOMPARE(info.model_name, "Tiny Llama");
        QCOMPARE(info.architecture, "llama");
        QCOMPARE(info.model_sha256, file_->header_sha256());
        QCOMPARE(info.corpus_sha256, corpus_.sha256);
        QCOMPARE(info.corpus_source, "test");
        QCOMPARE(info.intermediate, (std::vector<std::uint32_t>{65, 40}));
        QCOMPARE(info.context, 100u);
        QCOMPARE(info.tokens, corpus_.tokens);
        QCOMPARE(info.sequences, std::uint64_t{36});
        QCOMPARE(info.prompts, std::uint64_t{7});
        QVERIFY(info.tiles > 5);
        QVERIFY(info.complete());
        QCOMPARE(result->tokens, corpus_.tokens);
        QCOMPARE(result->threads, std::size_t{2});
        QVERIFY(result->seconds > 0);
        QVERIFY(result->floating_point_operations > 2.0 * static_cast<double>(corpus_.tokens) * 3 * 32 * 105);
        QVERIFY(result->memory.layer_weights > 0 && result->memory.wave_states > 0 &&
                result->memory.scratch > 0 && result->memory.statistics > 0 && result->memory.peak_rss > 0);
    }

    void domains_are_counted() {
        corpus_.domains = {"code", "story"};
        corpus_.sequences[1].domain = 1;
        const auto result = run(run_settings());
        const auto in_story = corpus_.sequences[1].tokens.size();
        corpus_ = test::run_corpus();
        QVERIFY(result.ok());
        const std::map<std::string, std::uint64_t> expected{{"code", corpus_.tokens - in_story},
                                                            {"story", in_story}};
        QVERIFY(result->profile->info.domain_tokens == expected);
    }

    void settings_that_make_no_sense_are_refused_data() {
        QTest::addColumn<int>("context");
        QTest::addColumn<int>("shard");
        QTest::addColumn<int>("shards");
        QTest::addColumn<QString>("message");
        QTest::newRow("context of one") << 1 << 1 << 1 << "context";
        QTest::newRow("context beyond 16 bits") << 65536 << 1 << 1 << "65535";
        QTest::newRow("sequence longer than the context") << 99 << 1 << 1 << "longer than the context of 99";
        QTest::newRow("shard 0") << 100 << 0 << 2 << "shard 0/2";
        QTest::newRow("shard 3 of 2") << 100 << 3 << 2 << "shard 3/2";
        QTest::newRow("no shards") << 100 << 1 << 0 << "shard 1/0";
    }
    void settings_that_make_no_sense_are_refused() {
        QFETCH(int, context);
        QFETCH(int, shard);
        QFETCH(int, shards);
        QFETCH(QString, message);
        auto settings = run_settings();
        settings.context = static_cast<std::uint32_t>(context);
        settings.shard = static_cast<std::uint32_t>(shard);
        settings.shards = static_cast<std::uint32_t>(shards);
        const auto result = run(settings);
        QVERIFY(!result.ok() && !result.cancelled());
        QVERIFY2(QString::fromStdString(result.message()).contains(message), result.message().c_str());
    }
    void a_corpus_without_tokens_is_refused() {
        const auto result = profile::run_profile(file_, {}, run_settings());
        QVERIFY(!result.ok());
        QVERIFY2(result.message().find("no tokens") != std::string::npos, result.message().c_str());
    }
    void a_corpus_of_another_tokenizer_is_refused() {
        const auto other = test::random_corpus({50}, 100000);
        const auto result = profile::run_profile(file_, other, run_settings());
        QVERIFY(!result.ok() && !result.cancelled());
        QVERIFY2(result.message().find("vocabulary") != std::string::npos, result.message().c_str());
    }
};

QTEST_APPLESS_MAIN(TestRun)
#include "tst_run.moc"
