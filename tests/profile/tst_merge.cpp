// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/profile/merge.h"
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
    auto profile = run_over([=](std::uint32_t tile) { return tile % count == index; });
    profile->info.shard = index + 1;
    profile->info.shards = count;
    return profile;
}

/// The same without its last tile: a run that was interrupted.
std::shared_ptr<Profile> unfinished_shard(std::uint32_t index, std::uint32_t count) {
    auto profile =
        run_over([=](std::uint32_t tile) { return tile % count == index && tile + count < tiles; });
    profile->info.shard = index + 1;
    profile->info.shards = count;
    return profile;
}

/// What the merger says is missing after these parts, which are called a, b, …
std::string missing_after(const std::vector<std::shared_ptr<Profile>>& parts) {
    Merger merger;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (const auto added = merger.add(*parts[i], std::string(1, static_cast<char>('a' + i))); !added.ok())
            return added.message();
    return merger.missing();
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
        QCOMPARE(missing_after({shard(0, 3), shard(1, 3), shard(0, 3)}),
                 std::string("c is shard 1 of 3, which a is too: leave one of them out"));
        QVERIFY(merge_profiles({shard(0, 3), shard(0, 3)}).message().starts_with("Part 2 is shard 1 of 3"));
        const auto whole = run_over([](auto) { return true; });
        QCOMPARE(missing_after({shard(1, 3), whole}),
                 std::string("b holds tile 1, which a holds too: was the same shard given twice?"));
    }

    void shards_of_other_numbers_that_overlap_are_named() {
        QCOMPARE(missing_after({shard(0, 3), shard(0, 2)}),
                 std::string("b is shard 1 of 2, and a is shard 1 of 3: they overlap; merge shards of one "
                             "number of shards"));
    }

    void missing_shards_are_named() {
        const auto says = [](const std::vector<std::shared_ptr<Profile>>& parts, const char* words) {
            const auto missing = missing_after(parts);
            if (!missing.starts_with(words)) qWarning("%s", missing.c_str());
            return missing.starts_with(words);
        };
        QCOMPARE(missing_after({shard(2, 3), shard(0, 3), shard(1, 3)}), std::string());
        QVERIFY(says({shard(0, 3), shard(2, 3)},
                     "shard 2 of 3 is missing: run the command of the others with "
                     "--shard 2/3, and name what it writes too"));
        QVERIFY(says({shard(3, 5)}, "shards 1, 2, 3 and 5 of 5 are missing: "));
        QVERIFY(says({shard(0, 3), unfinished_shard(1, 3), shard(2, 3)},
                     "b is shard 2 of 3 and not finished: run its command again with --resume"));
        QVERIFY(says({unfinished_shard(0, 1)}, "1 of 6 pieces of the work are missing"));
        // Shards beyond the number of tiles have nothing to do; it does not matter whether they are there.
        QVERIFY(says({shard(0, 9), shard(8, 9)}, "shards 2, 3, 4, 5 and 6 of 9 are missing"));
        // Whole shards of different numbers that leave nothing out are as good as any.
        QCOMPARE(missing_after({shard(0, 2), shard(1, 4), shard(3, 4)}), std::string());
    }

    void what_some_shards_make_can_be_merged_with_the_rest() {
        const auto some = merge_profiles({shard(0, 3), shard(1, 3)}).value();
        QCOMPARE(some->info.shards, 1u);
        const auto all = merge_profiles({shard(2, 3), some});
        QVERIFY2(all.ok(), all.message().c_str());
        QVERIFY(all.value()->complete());
    }

    void a_shard_keeps_its_number_in_its_file() {
        QVERIFY(write_profile(*shard(1, 3), folder_ / "shard").ok());
        const auto read = read_profile(folder_ / "shard").value();
        QCOMPARE(read->info.shard, 2u);
        QCOMPARE(read->info.shards, 3u);
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
