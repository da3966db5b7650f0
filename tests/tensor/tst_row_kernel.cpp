// SPDX-License-Identifier: GPL-3.0-or-later
//
// Products of a vector with stored rows against decoded rows summed in f64.
#include "core/tensor/decode.h"
#include "core/tensor/row_kernel.h"
#include "tests/support/random_blocks.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace permafrost;
using namespace permafrost::tensor;

class TestRowKernel : public QObject {
    Q_OBJECT

  private slots:
    void rows_of_every_type_data() {
        QTest::addColumn<int>("type");
        for (std::uint32_t id = 0; id < 100; ++id)
            if (const auto type = element_type_from_ggml(id))
                QTest::newRow(std::string(info(*type).name).c_str()) << static_cast<int>(*type);
    }
    void rows_of_every_type() {
        QFETCH(int, type);
        const auto element = static_cast<ElementType>(type);
        const auto& layout = info(element);
        std::mt19937 random(11);
        std::normal_distribution<float> normal;
        std::vector<float> decoded;
        for (const std::uint64_t blocks : {1, 2, 3, 7, 20}) {
            const auto columns = blocks * layout.block_elements, rows = std::uint64_t{5};
            std::mt19937_64 values(77);
            const auto bytes = test::random_tensor(element, rows * columns, 1.0f, values);
            const TensorView matrix{"w", element, {rows, columns}, bytes_of(std::string_view(bytes)), false};
            std::vector<float> x(columns), y(rows), row(columns);
            for (auto& value : x) value = normal(random);
            RowInput input;
            input.set(x);
            multiply_rows(matrix, 0, rows, input, y.data(), decoded);
            for (std::uint64_t r = 0; r < rows; ++r) {
                decode_rows(matrix, r, 1, row.data());
                double sum = 0, size = 0, weights = 0, largest = 0;
                for (std::size_t i = 0; i < columns; ++i) {
                    sum += double{row[i]} * x[i];
                    size += std::abs(double{row[i]} * x[i]);
                    weights += std::abs(row[i]);
                    largest = std::max<double>(largest, std::abs(x[i]));
                }
                // f32 sums, and x to 15 bits.
                QVERIFY2(std::abs(y[r] - sum) <= 2e-6 * size + weights * largest / 32'512 + 1e-30,
                         qPrintable(QString("%1 columns: %2, not %3").arg(columns).arg(y[r]).arg(sum)));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestRowKernel)
#include "tst_row_kernel.moc"
