// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention.h"
#include "core/model/rotary.h"
#include "tests/support/random_blocks.h"

#include <QtTest>

#include <cmath>
#include <vector>

using namespace permafrost;
using namespace permafrost::model;

namespace {

std::vector<float> random_values(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<float> values(count);
    for (auto& value : values) value = static_cast<float>(2 * test::uniform(random) - 1);
    return values;
}

struct Turn {
    std::vector<float> cosines, sines;
    explicit Turn(std::size_t pairs) {
        for (std::size_t i = 0; i < pairs; ++i) {
            cosines.push_back(std::cos(0.3f * static_cast<float>(i + 1)));
            sines.push_back(std::sin(0.3f * static_cast<float>(i + 1)));
        }
    }
};

AttentionShape heads_of(std::size_t heads, std::size_t kv_heads, std::size_t head_size) {
    return {heads, kv_heads, head_size, 0, 1.0f / std::sqrt(static_cast<float>(head_size)), 0};
}

} // namespace

class TestAttention : public QObject {
    Q_OBJECT

  private slots:
    void turns_the_pairs_of_its_family_data() {
        QTest::addColumn<bool>("halves");
        QTest::addColumn<int>("rotary_size");
        QTest::newRow("interleaved, whole heads") << false << 8;
        QTest::newRow("halves, whole heads") << true << 8;
        QTest::newRow("interleaved, part of a head") << false << 4;
        QTest::newRow("halves, part of a head") << true << 4;
    }
    void turns_the_pairs_of_its_family() {
        QFETCH(bool, halves);
        QFETCH(int, rotary_size);
        const auto size = static_cast<std::size_t>(rotary_size), half = size / 2;
        const Turn turn(half);
        const auto before = random_values(3 * 8, 1);
        auto after = before;
        rotate_heads(after.data(), 3, 8, size, halves ? RotaryPairs::Halves : RotaryPairs::Interleaved,
                     turn.cosines.data(), turn.sines.data());
        for (std::size_t head = 0; head < 3; ++head) {
            for (std::size_t pair = 0; pair < half; ++pair) {
                const std::size_t first = head * 8 + (halves ? pair : 2 * pair);
                const std::size_t second = head * 8 + (halves ? half + pair : 2 * pair + 1);
                const double a = before[first], b = before[second], c = turn.cosines[pair],
                             s = turn.sines[pair];
                QVERIFY(std::fabs(after[first] - (a * c - b * s)) < 1e-6);
                QVERIFY(std::fabs(after[second] - (a * s + b * c)) < 1e-6);
            }
            for (std::size_t i = size; i < 8; ++i) QCOMPARE(after[head * 8 + i], before[head * 8 + i]);
        }
    }

    void attention_equals_a_plain_loop_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("window");
        QTest::addColumn<float>("softcap");
        for (const int tokens : {1, 2, 63, 64, 65, 130}) QTest::addRow("%d", tokens) << tokens << 0 << 0.0f;
        for (const int window : {1, 7, 48, 100, 130, 200})
            QTest::addRow("window of %d", window) << 130 << window << 0.0f;
        QTest::newRow("soft cap") << 70 << 0 << 0.3f;
        QTest::newRow("soft cap and window") << 70 << 20 << 0.3f;
    }
    void attention_equals_a_plain_loop() {
        QFETCH(int, tokens);
        QFETCH(int, window);
        QFETCH(float, softcap);
        constexpr std::size_t heads = 6, kv_heads = 2, size = 10, width = (heads + 2 * kv_heads) * size;
        auto shape = heads_of(heads, kv_heads, size);
        shape.window = static_cast<std::size_t>(window);
        shape.softcap = softcap;
        const auto first_seen = [&](std::size_t t) {
            return window == 0 || t < shape.window ? 0 : t - shape.window + 1;
        };
        const auto n = static_cast<std::size_t>(tokens);
        const auto qkv = random_values(n * width, 2);
        std::vector<float> out(n * heads * size);
        AttentionScratch scratch;
        attend(shape, {qkv.data(), n, width, width}, {out.data(), n, heads * size, heads * size}, scratch);
        for (std::size_t t = 0; t < n; ++t)
            for (std::size_t head = 0; head < heads; ++head) {
                const std::size_t group = head / (heads / kv_heads);
                std::vector<double> expected(size);
                double sum = 0;
                for (std::size_t key = first_seen(t); key <= t; ++key) {
                    double score = 0;
                    for (std::size_t i = 0; i < size; ++i)
                        score += static_cast<double>(qkv[t * width + head * size + i]) *
                                 static_cast<double>(qkv[key * width + (heads + group) * size + i]);
                    score /= std::sqrt(static_cast<double>(size));
                    const auto cap = static_cast<double>(softcap);
                    const double weight = std::exp(cap == 0 ? score : cap * std::tanh(score / cap));
                    sum += weight;
                    for (std::size_t i = 0; i < size; ++i)
                        expected[i] += weight * static_cast<double>(
                                                    qkv[key * width + (heads + kv_heads + group) * size + i]);
                }
                for (std::size_t i = 0; i < size; ++i)
                    QVERIFY(std::fabs(out[t * heads * size + head * size + i] - expected[i] / sum) < 1e-6);
            }
    }

    void an_overlarge_score_does_not_overflow() {
        // Two tokens: Q | K | V; the second sees scores of 0 and about 7e8.
        const std::vector<float> qkv{0, 0, 0, 0, 1, 2, 3e4f, 0, 3e4f, 0, 5, 6};
        std::vector<float> out(4);
        AttentionScratch scratch;
        attend(heads_of(1, 1, 2), {qkv.data(), 2, 6, 6}, {out.data(), 2, 2, 2}, scratch);
        QCOMPARE(out, (std::vector<float>{1, 2, 5, 6}));
    }
};

QTEST_APPLESS_MAIN(TestAttention)
#include "tst_attention.moc"
