// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/profile/profile_file.h"
#include "tests/support/naive_statistics.h"
#include "tests/support/synthetic_profile.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

using namespace permafrost;
using namespace permafrost::profile;

namespace {

constexpr std::uint32_t layers = 2;
constexpr std::uint32_t neurons = 11;
constexpr std::uint32_t context = 16;
constexpr std::uint32_t tiles = 6; // one sequence each

/// The profile of a run over the tiles for which `chosen` is true.
template <class Chosen>
std::shared_ptr<Profile> run_over(Chosen chosen) {
    auto profile = std::make_shared<Profile>();
    profile->info = test::synthetic_profile(layers, neurons, 1)->info;
    profile->info.tiles = tiles;
    profile->info.tiles_done.clear();
    for (std::uint32_t tile = 0; tile < tiles; ++tile) profile->info.tiles_done.push_back(chosen(tile));
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
        const auto all = test::random_sequences(tiles, context, neurons, 100 + layer);
        std::vector<test::RawSequence> part;
        for (std::uint32_t tile = 0; tile < tiles; ++tile)
            if (chosen(tile)) part.push_back(all[tile]);
        profile->layers.push_back(std::make_shared<const LayerProfile>(
            test::naive_statistics(part, neurons, context, test::random_norms(neurons, layer))));
    }
    return profile;
}

std::shared_ptr<Profile> shard(std::uint32_t index, std::uint32_t count) {
    return run_over([=](std::uint32_t tile) { return tile % count == index; });
}

} // namespace

class TestMerge : public QObject {
    Q_OBJECT

  private slots:
    void shards_add_up_to_the_bytes_of_the_single_run() {
        const auto merged = merge_profiles({shard(2, 3), shard(0, 3), shard(1, 3)});
        QVERIFY2(merged.ok(), merged.message().c_str());
        QVERIFY(merged.value()->complete());
        QVERIFY(write_profile(*merged.value(), folder_ / "merged").ok());
        QVERIFY(write_profile(*run_over([](auto) { return true; }), folder_ / "single").ok());
        QVERIFY(read_text_file(folder_ / "merged").value() == read_text_file(folder_ / "single").value());
    }

    void some_shards_make_an_unfinished_profile() {
        const auto merged = merge_profiles({shard(0, 3), shard(1, 3)}).value();
        QVERIFY(!merged->complete());
        QCOMPARE(merged->layers[0]->tokens(), std::uint64_t{4 * context});
    }

    void the_first_non_finite_places_are_kept_in_order() {
        auto a = shard(0, 2), b = shard(1, 2);
        for (std::uint32_t i = 0; i < 16; ++i) {
            a->info.non_finite.push_back({0, 0, 2 * i});
            b->info.non_finite.push_back({0, 0, 2 * i + 1});
        }
        const auto merged = merge_profiles({b, a}).value();
        QCOMPARE(merged->info.non_finite.size(), std::size_t{16});
        for (std::uint32_t i = 0; i < 16; ++i)
            QCOMPARE(merged->info.non_finite[i].sequence, std::uint64_t{i});
    }

    void a_shard_given_twice_is_named() {
        const auto merged = merge_profiles({shard(0, 3), shard(1, 3), shard(0, 3)});
        QVERIFY(merged.message().find("Part 3 holds tile 0, which part 1") != std::string::npos);
    }

    void what_differs_is_named() {
        const auto message_with = [](auto change) {
            auto other = shard(1, 2);
            change(other->info);
            return merge_profiles({shard(0, 2), other}).message();
        };
        const auto contains = [](const std::string& text, const char* words) {
            return text.find(words) != std::string::npos && text.find("Part 2") != std::string::npos;
        };
        QVERIFY(
            contains(message_with([](ProfileInfo& info) { info.model_sha256[0] = 'f'; }), "another model"));
        QVERIFY(
            contains(message_with([](ProfileInfo& info) { info.corpus_sha256[0] = 'f'; }), "another text"));
        QVERIFY(contains(message_with([](ProfileInfo& info) { info.context = 99; }),
                         "another context (99, not "));
        QVERIFY(
            contains(message_with([](ProfileInfo& info) { info.tool_version = "9"; }), "another version"));
        // A context changes the windows too, but is itself the cause.
        QVERIFY(contains(message_with([](ProfileInfo& info) {
                             info.context = 99;
                             info.corpus_sha256[0] = 'f';
                             info.sequences = info.prompts = 3;
                         }),
                         "another context (99, not "));
        QVERIFY(contains(message_with([](ProfileInfo& info) {
                             info.prompts = 77;
                             info.corpus_sha256[0] = 'f';
                         }),
                         "another number of prompts (77, not "));
    }

    void a_part_that_lacks_a_layer_is_named() {
        auto other = shard(1, 2);
        other->layers[1] = nullptr;
        const auto message = merge_profiles({shard(0, 2), other}).message();
        QVERIFY(message.find("Part 2 has no statistics of layer 1") != std::string::npos);
    }

    void nothing_cannot_be_merged() { QVERIFY(!merge_profiles({}).ok()); }

  private:
    test::TemporaryFolder folder_;
};

QTEST_APPLESS_MAIN(TestMerge)
#include "tst_merge.moc"
