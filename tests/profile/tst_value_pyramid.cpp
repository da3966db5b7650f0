// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/value_pyramid.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace permafrost::profile;

class TestValuePyramid : public QObject {
    Q_OBJECT

  private slots:
    void any_run_is_what_a_plain_loop_finds() {
        std::mt19937 random(7);
        for (const std::size_t size : {0, 1, 15, 16, 17, 255, 256, 257, 1000, 4096, 28672}) {
            std::vector<float> values(size);
            for (auto& value : values)
                value = std::ldexp(static_cast<float>(random() % 2001) - 1000, -4); // sums are exact
            const ValuePyramid pyramid(values);
            for (int turn = 0; turn < 200; ++turn) {
                auto begin = random() % (size + 1), end = random() % (size + 1);
                if (begin > end) std::swap(begin, end);
                float largest = -std::numeric_limits<float>::infinity(), smallest = -largest;
                double sum = 0;
                for (auto i = begin; i < end; ++i) {
                    largest = std::max(largest, values[i]);
                    smallest = std::min(smallest, values[i]);
                    sum += static_cast<double>(values[i]);
                }
                const auto summary = pyramid.summary(begin, end);
                QCOMPARE(summary.largest, largest);
                QCOMPARE(summary.smallest, smallest);
                QCOMPARE(summary.sum, sum);
            }
        }
    }

    void one_hot_value_among_28672_is_never_lost() {
        std::vector<float> values(28672, 0.5F);
        values[12345] = 9;
        const ValuePyramid pyramid(values);
        for (std::size_t bin : {2, 30, 500, 28672}) {
            const auto begin = 12345 / bin * bin;
            QCOMPARE(pyramid.summary(begin, std::min(begin + bin, values.size())).largest, 9.0F);
        }
    }

    void order_is_that_of_a_stable_sort() {
        std::mt19937 random(8);
        std::vector<float> values(5000);
        for (auto& value : values)
            value = static_cast<float>(static_cast<int>(random() % 2000) - 1000) * 1e-3F;
        values[17] = -0.0F;
        values[18] = 0.0F;
        values[19] = std::numeric_limits<float>::infinity();
        values[20] = -values[19];
        std::vector<std::uint32_t> expected(values.size());
        std::iota(expected.begin(), expected.end(), 0u);
        std::stable_sort(expected.begin(), expected.end(),
                         [&](auto one, auto other) { return values[one] > values[other]; });
        QCOMPARE(descending_order(values), expected);
        values[4] = std::nanf("");
        QCOMPARE(descending_order(values).back(), 4u);
        QVERIFY(descending_order({}).empty());
    }
};

QTEST_APPLESS_MAIN(TestValuePyramid)
#include "tst_value_pyramid.moc"
