// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs that were interrupted between or inside waves and go on from their checkpoint.
#include "tests/profile/run_fixture.h"

#include <QtTest>

using namespace permafrost;
using test::run_settings;

class TestRunResume : public QObject {
    Q_OBJECT

    test::TemporaryFolder folder_;
    formats::ModelFilePtr file_;
    const text::Corpus corpus_ = test::run_corpus();
    std::string expected_;

    std::string sha(const Result<profile::RunResult>& result) {
        if (!result.ok()) return result.message();
        const auto written = profile::write_profile(*result->profile, folder_ / "run.frost");
        return written.ok() ? written.value() : written.message();
    }
    profile::RunSettings with_checkpoint(std::size_t threads = 1) {
        auto settings = run_settings(threads, 256);
        settings.checkpoint = folder_ / "run.frost.resume";
        settings.checkpoint_interval = {};
        settings.resume = true;
        return settings;
    }
    /// Runs until layer `layer` of wave `wave` is done; tells whether it was cancelled there.
    bool run_and_cancel(std::uint32_t wave, std::uint32_t layer, const profile::RunSettings& settings) {
        std::stop_source source;
        profile::RunObserver observer;
        observer.progress = [&](const profile::RunProgress& progress) {
            if (progress.wave == wave && progress.layer == layer) source.request_stop();
        };
        return profile::run_profile(file_, corpus_, settings, observer, source.get_token()).cancelled();
    }

  private slots:
    void initTestCase() {
        const auto file =
            formats::open_model_file(test::write_tiny_llama(folder_.path(), test::run_model()).string());
        QVERIFY2(file.ok(), file.message().c_str());
        file_ = file.value();
        expected_ = sha(profile::run_profile(file_, corpus_, run_settings()));
        QVERIFY2(expected_.size() == 64, expected_.c_str());
    }
    void init() { std::filesystem::remove(folder_ / "run.frost.resume"); }

    void a_resumed_run_gives_the_same_bytes_data() {
        QTest::addColumn<int>("wave");
        QTest::addColumn<int>("layer");
        QTest::newRow("before the first checkpoint") << 0 << 0;
        QTest::newRow("inside the second wave") << 1 << 0;
        QTest::newRow("after the second wave") << 1 << 1;
        QTest::newRow("inside the fifth wave") << 4 << 0;
    }
    void a_resumed_run_gives_the_same_bytes() {
        QFETCH(int, wave);
        QFETCH(int, layer);
        QVERIFY(run_and_cancel(static_cast<std::uint32_t>(wave), static_cast<std::uint32_t>(layer),
                               with_checkpoint(2)));
        QCOMPARE(std::filesystem::exists(folder_ / "run.frost.resume"), wave > 0);
        const auto resumed = profile::run_profile(file_, corpus_, with_checkpoint());
        QCOMPARE(sha(resumed), expected_);
        QCOMPARE(resumed->tokens<corpus_.tokens, wave> 0);
    }

    void a_run_may_be_interrupted_again_and_again() {
        int interruptions = 0;
        while (run_and_cancel(1, 1, with_checkpoint(2)) && interruptions < 20) ++interruptions;
        QVERIFY(interruptions >= 2 && interruptions < 20);
        QCOMPARE(sha(profile::run_profile(file_, corpus_, with_checkpoint())), expected_);
    }

    void a_checkpoint_may_be_resumed_with_other_waves_and_an_observer() {
        QVERIFY(run_and_cancel(2, 0, with_checkpoint()));
        auto settings = with_checkpoint();
        settings.wave_tokens = 4096;
        profile::RunObserver observer;
        observer.snapshot = [](const profile::ProfilePtr&) {};
        QCOMPARE(sha(profile::run_profile(file_, corpus_, settings, observer)), expected_);
    }

    void a_cancelled_wave_leaves_the_checkpoint_as_it_was() {
        QVERIFY(run_and_cancel(2, 0, with_checkpoint()));
        const auto before = read_text_file(folder_ / "run.frost.resume").value();
        QVERIFY(run_and_cancel(0, 0, with_checkpoint()));
        QVERIFY(read_text_file(folder_ / "run.frost.resume").value() == before);
    }

    void checkpoints_keep_their_distance() {
        auto settings = with_checkpoint();
        settings.checkpoint_interval = std::chrono::hours(1);
        settings.checkpoint_share = 0;
        QVERIFY(profile::run_profile(file_, corpus_, settings).ok());
        QVERIFY(!std::filesystem::exists(folder_ / "run.frost.resume"));
    }

    void cancelling_keeps_all_finished_waves_data() {
        QTest::addColumn<int>("wave");
        QTest::addColumn<int>("layer");
        QTest::newRow("before any wave is finished") << 0 << 0;
        QTest::newRow("one wave and a layer") << 1 << 0;
        QTest::newRow("two waves") << 1 << 1;
        QTest::newRow("four waves and a layer") << 4 << 0;
    }
    void cancelling_keeps_all_finished_waves() {
        QFETCH(int, wave);
        QFETCH(int, layer);
        auto settings = with_checkpoint(2);
        settings.checkpoint_interval = std::chrono::hours(1);
        settings.checkpoint_share = 0;
        QVERIFY(
            run_and_cancel(static_cast<std::uint32_t>(wave), static_cast<std::uint32_t>(layer), settings));
        const int finished = wave + layer; // the model has two layers
        QCOMPARE(std::filesystem::exists(folder_ / "run.frost.resume"), finished > 0);
        if (finished > 0) {
            const auto saved = profile::read_profile(folder_ / "run.frost.resume");
            QVERIFY2(saved.ok(), saved.message().c_str());
            const auto& done = saved.value()->info.tiles_done; // a wave of 256 tokens is one tile here
            QCOMPARE(std::count(done.begin(), done.end(), true), std::ptrdiff_t{finished});
        }
        // Cancelled once more, in the first wave of the resumed run: what was there stays.
        QVERIFY(run_and_cancel(0, 0, settings));
        QCOMPARE(std::filesystem::exists(folder_ / "run.frost.resume"), finished > 0);
        QCOMPARE(sha(profile::run_profile(file_, corpus_, settings)), expected_);
    }

    void without_resume_a_checkpoint_is_ignored() {
        QVERIFY(run_and_cancel(2, 0, with_checkpoint()));
        auto settings = with_checkpoint();
        settings.resume = false;
        const auto result = profile::run_profile(file_, corpus_, settings);
        QCOMPARE(sha(result), expected_);
        QCOMPARE(result->tokens, corpus_.tokens);
    }

    void a_checkpoint_of_another_run_is_refused() {
        QVERIFY(run_and_cancel(2, 0, with_checkpoint()));
        const auto refused = [&](const formats::ModelFilePtr& file, const text::Corpus& corpus,
                                 const profile::RunSettings& settings) {
            const auto result = profile::run_profile(file, corpus, settings);
            return !result.ok() && !result.cancelled() &&
                   result.message().find("run.frost.resume is of another run") != std::string::npos;
        };
        auto other_text = corpus_;
        other_text.sha256 = "another";
        QVERIFY(refused(file_, other_text, with_checkpoint()));

        auto longer_context = with_checkpoint();
        longer_context.context = 128;
        QVERIFY(refused(file_, corpus_, longer_context));

        auto options = test::run_model();
        options.file_name = "other.gguf";
        options.layers = 3;
        options.ffn_by_layer = {65, 40, 33};
        const auto other = formats::open_model_file(test::write_tiny_llama(folder_.path(), options).string());
        QVERIFY(other.ok());
        QVERIFY(refused(other.value(), corpus_, with_checkpoint()));

        // Its tiles belong to other shards too.
        auto shard = with_checkpoint();
        shard.shard = 2;
        shard.shards = 2;
        QVERIFY(refused(file_, corpus_, shard));
    }

    void a_shard_can_be_resumed() {
        auto settings = with_checkpoint();
        settings.shard = 2;
        settings.shards = 2;
        auto alone = settings;
        alone.checkpoint.clear();
        const auto whole = sha(profile::run_profile(file_, corpus_, alone));
        QVERIFY(run_and_cancel(1, 0, settings));
        QVERIFY(std::filesystem::exists(settings.checkpoint));
        QCOMPARE(sha(profile::run_profile(file_, corpus_, settings)), whole);
    }

    void a_damaged_checkpoint_is_an_error_that_names_it() {
        QVERIFY(run_and_cancel(2, 0, with_checkpoint()));
        const auto path = folder_ / "run.frost.resume";
        const auto bytes = read_text_file(path).value();
        for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{100}, bytes.size() - 1}) {
            QVERIFY(write_file(path, bytes.substr(0, size)).ok());
            const auto result = profile::run_profile(file_, corpus_, with_checkpoint());
            QVERIFY(!result.ok() && !result.cancelled());
            QVERIFY2(result.message().find("run.frost.resume") != std::string::npos,
                     result.message().c_str());
        }
    }

    void a_checkpoint_that_cannot_be_written_is_an_error() {
        auto settings = with_checkpoint();
        settings.checkpoint = folder_ / "missing/run.frost.resume";
        const auto result = profile::run_profile(file_, corpus_, settings);
        QVERIFY(!result.ok() && !result.cancelled());
        QVERIFY2(result.message().find("missing") != std::string::npos, result.message().c_str());
    }
};

QTEST_APPLESS_MAIN(TestRunResume)
#include "tst_run_resume.moc"
