// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/machine_rates.h"
#include "core/tensor/product.h"
#include "tests/support/random_blocks.h"

#include <QtTest>

#include <cmath>
#include <vector>

using namespace permafrost;
using namespace permafrost::tensor;

namespace {

/// A matrix inside a larger block of memory whose other elements must stay as they are.
struct Matrix {
    std::size_t rows, columns, stride;
    std::vector<float> values;

    Matrix(std::size_t row_count, std::size_t column_count, std::size_t gap, std::mt19937_64& random)
        : rows(row_count), columns(column_count), stride(column_count + gap), values(rows * stride) {
        for (auto& value : values) value = static_cast<float>(2 * test::uniform(random) - 1);
    }
    double at(std::size_t row, std::size_t column) const { return values[row * stride + column]; }
    ConstMatrixView view() const { return {values.data(), rows, columns, stride}; }
    MatrixView view() { return {values.data(), rows, columns, stride}; }
};

double dot(const Matrix& x, std::size_t row, const Matrix& w, std::size_t column) {
    double sum = 0;
    for (std::size_t k = 0; k < x.columns; ++k) sum += x.at(row, k) * w.at(column, k);
    return sum;
}

Matrix transposed(const Matrix& m) {
    std::mt19937_64 random(0);
    Matrix result(m.columns, m.rows, 0, random);
    for (std::size_t row = 0; row < m.rows; ++row)
        for (std::size_t column = 0; column < m.columns; ++column)
            result.values[column * m.rows + row] = m.values[row * m.stride + column];
    return result;
}

// Rounding of a sum of k products of numbers in [-1, 1].
double allowed(std::size_t k) { return 2e-7 * static_cast<double>(k) + 1e-6; }

/// The largest difference from the plain loop, and infinity if a gap between rows was written to.
double worst_difference(const Matrix& x, const Matrix& w, const Matrix& before, const Matrix& after,
                        bool accumulate) {
    double worst = 0;
    for (std::size_t row = 0; row < after.rows; ++row)
        for (std::size_t column = 0; column < after.stride; ++column) {
            const bool inside = column < after.columns;
            double expected = inside ? dot(x, row, w, column) : before.at(row, column);
            if (inside && accumulate) expected += before.at(row, column);
            const double difference = std::fabs(after.at(row, column) - expected);
            worst = std::max(worst, inside || difference == 0 ? difference : HUGE_VAL);
        }
    return worst;
}

} // namespace

class TestProduct : public QObject {
    Q_OBJECT

  private slots:
    void equals_a_plain_loop_data() {
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("k");
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("gap");
        for (const auto& [m, k, n, gap] : std::vector<std::array<int, 4>>{{1, 1, 1, 0},
                                                                          {1, 64, 3, 0},
                                                                          {16, 64, 96, 0},
                                                                          {17, 63, 65, 5},
                                                                          {5, 130, 1, 1},
                                                                          {64, 7, 129, 3},
                                                                          {3, 300, 385, 0},
                                                                          {33, 31, 400, 17}})
            QTest::addRow("%d x %d x %d, gap %d", m, k, n, gap) << m << k << n << gap;
    }
    void equals_a_plain_loop() {
        QFETCH(int, m);
        QFETCH(int, k);
        QFETCH(int, n);
        QFETCH(int, gap);
        const auto rows = static_cast<std::size_t>(m), inner = static_cast<std::size_t>(k),
                   columns = static_cast<std::size_t>(n), space = static_cast<std::size_t>(gap);
        std::mt19937_64 random(7);
        const Matrix x(rows, inner, space, random), w(columns, inner, space, random),
            v(inner, columns, space, random), before(rows, columns, space, random);
        for (const bool accumulate : {false, true}) {
            Matrix y = before;
            multiply_transposed(x.view(), w.view(), y.view(), accumulate);
            QVERIFY(worst_difference(x, w, before, y, accumulate) < allowed(inner));
        }
        Matrix y = before;
        PackedMatrix left(Side::Left), right(Side::Right);
        left.pack(x.view());
        right.pack_transposed(v.view());
        multiply(left, right, y.view());
        QVERIFY(worst_difference(x, transposed(v), before, y, false) < allowed(inner));
    }

    void reads_only_the_part_of_w_that_x_and_y_ask_for() {
        std::mt19937_64 random(11);
        const Matrix x(7, 20, 0, random), w(50, 33, 0, random), before(7, 21, 4, random);
        Matrix y = before;
        PackedMatrix left(Side::Left), right(Side::Right);
        left.pack(x.view());
        right.pack(w.view());
        multiply(left, right, y.view());
        QVERIFY(worst_difference(x, w, before, y, false) < allowed(20));
    }

    void packed_elements_are_found_by_row_and_column() {
        std::mt19937_64 random(13);
        const Matrix x(37, 70, 2, random);
        for (const auto side : {Side::Left, Side::Right}) {
            PackedMatrix packed(side);
            packed.pack(x.view());
            for (std::size_t row = 0; row < x.rows; ++row)
                for (std::size_t k = 0; k < x.columns; ++k)
                    QCOMPARE(static_cast<double>(packed.at(row, k)), x.at(row, k));
        }
    }

    void blocks_of_a_large_product_join_without_seams() {
        std::mt19937_64 random(3);
        const Matrix x(600, 2000, 0, random), w(1001, 2000, 0, random), before(600, 1001, 0, random);
        Matrix y = before;
        multiply_transposed(x.view(), w.view(), y.view());
        for (const std::size_t row : {0u, 251u, 252u, 503u, 504u, 599u})
            for (const std::size_t column : {0u, 15u, 16u, 31u, 32u, 511u, 512u, 991u, 992u, 1000u})
                QVERIFY(std::fabs(y.at(row, column) - dot(x, row, w, column)) < allowed(2000));
    }

    void does_nothing_after_a_stop() {
        std::mt19937_64 random(5);
        const Matrix x(4, 8, 0, random), w(6, 8, 0, random), before(4, 6, 0, random);
        Matrix y = before;
        std::stop_source source;
        source.request_stop();
        PackedMatrix left(Side::Left), right(Side::Right);
        left.pack(x.view());
        right.pack(w.view());
        multiply(left, right, y.view(), false, source.get_token());
        QCOMPARE(y.values, before.values);
    }

    void not_a_number_stays_in_its_row() {
        std::mt19937_64 random(9);
        Matrix x(16, 32, 0, random), y(16, 40, 0, random);
        const Matrix w(40, 32, 0, random);
        x.values[3 * 32 + 5] = std::nanf("");
        multiply_transposed(x.view(), w.view(), y.view());
        for (std::size_t row = 0; row < 16; ++row)
            for (std::size_t column = 0; column < 40; ++column)
                QCOMPARE(std::isnan(y.at(row, column)), row == 3);
    }

    void counts_two_operations_a_product_term() { QCOMPARE(product_operations(3, 5, 7), 210.0); }

    void measured_rates_are_positive_numbers() {
        ThreadPool pool(1);
        const double rate = measure_product_gflops(pool, {64, 64, 64}, 3);
        QVERIFY(std::isfinite(rate) && rate > 0);
    }
};

QTEST_APPLESS_MAIN(TestProduct)
#include "tst_product.moc"
