// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/bitmask.h"

#include <QtTest>

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
};

QTEST_APPLESS_MAIN(TestBitmask)
#include "tst_bitmask.moc"
