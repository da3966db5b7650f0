// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/int128.h"

#include <QtTest>

#include <algorithm>
#include <cfloat>
#include <random>
#include <vector>

using namespace permafrost;
namespace fp = permafrost::fixed_point;

namespace {

// x87 long doubles have 64 significant bits, so a double times 2^60 is exact in them.
Int128 by_long_double(double part) {
    static_assert(LDBL_MANT_DIG >= 64);
    return static_cast<Int128>(rintl(static_cast<long double>(part) * 0x1p60L));
}

std::vector<double> parts_of_all_magnitudes(std::size_t count) {
    std::mt19937_64 random(7);
    std::vector<double> parts;
    while (parts.size() < count) {
        const double mantissa = static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-63;
        parts.push_back(std::ldexp(mantissa, static_cast<int>(random() % 140) - 80));
    }
    return parts;
}

Int128 sum_of(const std::vector<double>& parts) {
    Int128 sum = 0;
    for (const double part : parts) sum += fp::from_double(part);
    return sum;
}

} // namespace

class TestInt128 : public QObject {
    Q_OBJECT

  private slots:
    void rounds_to_the_nearest_grid_point() {
        for (const double part : parts_of_all_magnitudes(20000)) {
            QVERIFY(fp::fits_grid(part));
            QVERIFY(fp::from_double(part) == by_long_double(part));
        }
    }

    void grid_points_survive() {
        for (const double part :
             {0.0, 1.0, -1.0, 0.1, -0.25, 0x1p-60, -0x1p-60, 1e6 + 0.5, 0x1.fffffffffffffp59})
            QCOMPARE(fp::to_double(fp::from_double(part)), part);
        QVERIFY(fp::from_double(0x1p-60) == 1);
        QVERIFY(fp::from_double(1.0) == Int128{1} << 60);
    }

    void a_sum_does_not_depend_on_its_order() {
        auto parts = parts_of_all_magnitudes(1000);
        const Int128 sum = sum_of(parts);
        std::mt19937_64 random(8);
        for (int round = 0; round < 20; ++round) {
            std::shuffle(parts.begin(), parts.end(), random);
            QVERIFY(sum_of(parts) == sum);
        }
        std::sort(parts.begin(), parts.end());
        QVERIFY(sum_of(parts) == sum);
    }

    void small_parts_are_not_lost_beside_large_ones() {
        Int128 sum = fp::from_double(0x1p59);
        for (int i = 0; i < 1024; ++i) sum += fp::from_double(0x1p-30);
        sum += fp::from_double(-0x1p59);
        QCOMPARE(fp::to_double(sum), 0x1p-20);
    }

    void values_beyond_the_grid_are_told() {
        QVERIFY(!fp::fits_grid(0x1p60));
        QVERIFY(!fp::fits_grid(-0x1p61));
        QVERIFY(!fp::fits_grid(HUGE_VAL));
        QVERIFY(!fp::fits_grid(std::nan("")));
        QVERIFY(fp::fits_grid(0x1.fffffffffffffp59));
    }
};

QTEST_APPLESS_MAIN(TestInt128)
#include "tst_int128.moc"
