// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/bitmask.h"

#include <QtTest>

#include <random>

using permafrost::masks::Bitmask;

class TestBitmask : public QObject {
    Q_OBJECT

  private slots:
    void the_first_neuron_is_the_lowest_bit_of_the_first_byte() {
        Bitmask mask(16);
        mask.set(1);
        mask.set(6);
        mask.set(8);
        QCOMPARE(mask.bytes()[0], std::uint8_t{0x42});
        QCOMPARE(mask.bytes()[1], std::uint8_t{0x01});
        mask.set(6, false);
        QCOMPARE(mask.bytes()[0], std::uint8_t{0x02});
        QCOMPARE(mask.count(), std::size_t{2});
    }

    void bits_past_the_end_are_cleared() {
        const Bitmask mask(11, {0xff, 0xff});
        QCOMPARE(mask.count(), std::size_t{11});
        QCOMPARE(mask.bytes()[1], std::uint8_t{0x07});
    }

    void an_empty_mask_has_no_bytes() {
        QCOMPARE(Bitmask(0).bytes().size(), std::size_t{0});
        QCOMPARE(Bitmask(0, {0xff}).count(), std::size_t{0});
    }

    void sets_are_combined_bit_by_bit() {
        std::mt19937 random(9);
        for (const auto& [m, n] : {std::pair<std::size_t, std::size_t>{1, 1}, {20, 20}, {64, 13}, {0, 9}}) {
            Bitmask a(m), b(n);
            for (std::size_t i = 0; i < m; ++i) a.set(i, random() % 2 == 0);
            for (std::size_t i = 0; i < n; ++i) b.set(i, random() % 2 == 0);
            const auto either = permafrost::masks::united(a, b), both = permafrost::masks::intersected(a, b),
                       rest = permafrost::masks::subtracted(a, b);
            QCOMPARE(either.size(), std::max(m, n));
            for (std::size_t i = 0; i < either.size(); ++i) {
                const bool in_a = i < m && a.test(i), in_b = i < n && b.test(i);
                QCOMPARE(either.test(i), in_a || in_b);
                QCOMPARE(both.test(i), in_a && in_b);
                QCOMPARE(rest.test(i), in_a && !in_b);
            }
        }
        Bitmask a(8), b(8);
        QCOMPARE(permafrost::masks::jaccard(a, b), 1.0);
        a.set(1);
        QCOMPARE(permafrost::masks::jaccard(a, b), 0.0);
        b.set(1);
        b.set(2);
        QCOMPARE(permafrost::masks::jaccard(a, b), 0.5);
    }
};

QTEST_APPLESS_MAIN(TestBitmask)
#include "tst_bitmask.moc"
