// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/layer_profile.h"
#include "core/profile/layer_tensors.h"
#include "tests/support/naive_statistics.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace permafrost;
using namespace permafrost::profile;

namespace {

constexpr std::uint32_t neurons = 13;
constexpr std::uint32_t context = 24;

bool same_bytes(const LayerStatistics& a, const LayerStatistics& b) {
    const auto left = layer_bytes(a);
    const auto right = layer_bytes(b);
    for (std::size_t i = 0; i < left.size(); ++i)
        if (!std::equal(left[i].begin(), left[i].end(), right[i].begin(), right[i].end())) return false;
    return true;
}

LayerStatistics single_value(float value) {
    return test::naive_statistics({{.gate = {0}, .up = {0}, .h = {value}}}, 1, 8, {1.0f});
}

} // namespace

class TestLayerStatistics : public QObject {
    Q_OBJECT

  private slots:
    void merged_parts_equal_the_whole_in_any_order() {
        const auto sequences = test::random_sequences(6, context, neurons, 1);
        const auto norms = test::random_norms(neurons, 2);
        const auto whole = test::naive_statistics(sequences, neurons, context, norms);
        std::vector<std::size_t> order(sequences.size());
        std::iota(order.begin(), order.end(), 0);
        do {
            LayerStatistics total(neurons);
            total.down_norm = norms;
            for (const auto index : order)
                QVERIFY(
                    total.merge(test::naive_statistics({sequences[index]}, neurons, context, norms)).ok());
            QVERIFY(same_bytes(total, whole));
        } while (std::next_permutation(order.begin(), order.end()) && order[0] == 0);
    }

    void zeros_of_both_signs_leave_no_trace_of_their_order() {
        auto one = single_value(0.0f);
        auto other = single_value(-0.0f);
        QVERIFY(one.merge(single_value(-0.0f)).ok());
        QVERIFY(other.merge(single_value(0.0f)).ok());
        QVERIFY(same_bytes(one, other));
    }

    void another_width_does_not_merge() {
        LayerStatistics statistics(3);
        QVERIFY(!statistics.merge(LayerStatistics(4)).ok());
    }

    void other_down_norms_do_not_merge() {
        LayerStatistics a(2), b(2);
        b.down_norm[1] = std::nextafter(0.0f, 1.0f);
        QVERIFY(a.merge(b).message().find("norm") != std::string::npos);
    }

    void more_tokens_than_counts_hold_do_not_merge() {
        LayerStatistics a(1), b(1);
        a.tokens = 3'000'000'000;
        b.tokens = 2'000'000'000;
        QVERIFY(!a.merge(b).ok());
        QCOMPARE(a.tokens, std::uint64_t{3'000'000'000});
    }

    void bytes_counts_what_a_neuron_needs() {
        // seven 128-bit sums, five 4-byte values, 49 edges and 8 position buckets of 4 bytes
        QCOMPARE(LayerStatistics(100).bytes(), std::uint64_t{100 * (7 * 16 + 5 * 4 + 49 * 4 + 8 * 4)});
    }
};

QTEST_APPLESS_MAIN(TestLayerStatistics)
#include "tst_layer_statistics.moc"
