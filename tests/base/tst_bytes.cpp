// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bytes.h"

#include <QtTest>

#include <limits>

using namespace permafrost;
using namespace std::string_view_literals;

class TestBytes : public QObject {
    Q_OBJECT

  private slots:
    void reads_little_endian_values_one_after_another() {
        ByteReader reader(bytes_of("\x01\x02\x03\x04\x05\x06"sv));
        QCOMPARE(*reader.read<std::uint16_t>(), std::uint16_t{0x0201});
        QCOMPARE(*reader.read<std::uint32_t>(), std::uint32_t{0x06050403});
        QCOMPARE(reader.position(), std::size_t{6});
        QCOMPARE(reader.remaining(), std::size_t{0});
    }

    void a_value_that_does_not_fit_is_not_read_and_nothing_is_consumed() {
        ByteReader reader(bytes_of("abc"sv));
        QVERIFY(!reader.read<std::uint32_t>());
        QCOMPARE(reader.position(), std::size_t{0});
        QVERIFY(reader.read<std::uint8_t>());
        QVERIFY(reader.read<std::uint16_t>());
        QVERIFY(!reader.read<std::uint8_t>());
    }

    void byte_runs_are_bounded_by_what_remains() {
        ByteReader reader(bytes_of("abcdef"sv));
        QCOMPARE(text_of(*reader.read_bytes(2)), "ab"sv);
        QVERIFY(!reader.read_bytes(5));
        QVERIFY(!reader.read_bytes(std::numeric_limits<std::uint64_t>::max()));
        QCOMPARE(text_of(*reader.read_bytes(4)), "cdef"sv);
        QCOMPARE(reader.read_bytes(0)->size(), std::size_t{0});
    }

    void align_up_finds_the_next_multiple() {
        QCOMPARE(align_up(0, 64), std::uint64_t{0});
        QCOMPARE(align_up(1, 64), std::uint64_t{64});
        QCOMPARE(align_up(64, 64), std::uint64_t{64});
        QCOMPARE(align_up(65, 32), std::uint64_t{96});
        QCOMPARE(align_up(7, 1), std::uint64_t{7});
    }
};

QTEST_APPLESS_MAIN(TestBytes)
#include "tst_bytes.moc"
