// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tile.h"
#include "tests/support/naive_llama.h"

#include <QtTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace permafrost;
using model::cut_tiles;

namespace {

std::vector<std::size_t> random_lengths(std::size_t count, std::size_t longest, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::size_t> lengths(count);
    for (auto& length : lengths) length = random() % (longest + 1);
    return lengths;
}

} // namespace

class TestTile : public QObject {
    Q_OBJECT

  private slots:
    void no_sequences_give_no_tiles() {
        QVERIFY(cut_tiles({}).empty());
        QVERIFY(cut_tiles(test::random_corpus({0, 0}, 10)).empty());
    }

    void short_sequences_share_a_tile_of_256_rows() {
        const auto tiles = cut_tiles(test::random_corpus({100, 100, 56, 1}, 10));
        QCOMPARE(tiles.size(), std::size_t{2});
        QCOMPARE(tiles[0].parts.size(), std::size_t{3});
        QCOMPARE(tiles[0].tokens, 256u);
        QCOMPARE(tiles[0].rows, 256u);
        QCOMPARE(tiles[1].tokens, 1u);
        QCOMPARE(tiles[1].rows, 16u);
    }

    void windows_of_a_text_get_a_tile_each() {
        const auto tiles = cut_tiles(test::random_corpus({512, 512, 512}, 10));
        QCOMPARE(tiles.size(), std::size_t{3});
        for (const auto& tile : tiles) QCOMPARE(tile.rows, 512u);
    }

    void each_token_has_one_row_data() {
        QTest::addColumn<int>("longest");
        for (const int longest : {1, 5, 63, 256, 300, 700}) QTest::addRow("%d", longest) << longest;
    }
    void each_token_has_one_row() {
        QFETCH(int, longest);
        const auto lengths = random_lengths(200, static_cast<std::size_t>(longest), 4);
        const auto tiles = cut_tiles(test::random_corpus(lengths, 10));
        const auto capacity = std::max<std::size_t>(256, *std::max_element(lengths.begin(), lengths.end()));
        std::size_t next_sequence = 0;
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            const auto& tile = tiles[i];
            QCOMPARE(tile.index, static_cast<std::uint32_t>(i));
            QVERIFY(!tile.parts.empty());
            QVERIFY(tile.tokens <= capacity);
            QVERIFY(tile.rows % 16 == 0 && tile.rows >= tile.tokens && tile.rows < tile.tokens + 16);
            std::uint32_t row = 0;
            for (const auto& part : tile.parts) {
                while (lengths[next_sequence] == 0) ++next_sequence;
                QCOMPARE(part.sequence, next_sequence++);
                QCOMPARE(part.first_row, row);
                QCOMPARE(std::size_t{part.length}, lengths[part.sequence]);
                row += part.length;
            }
            QCOMPARE(row, tile.tokens);
        }
        while (next_sequence < lengths.size() && lengths[next_sequence] == 0) ++next_sequence;
        QCOMPARE(next_sequence, lengths.size());
    }
};

QTEST_APPLESS_MAIN(TestTile)
#include "tst_tile.moc"
