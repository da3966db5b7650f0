// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/decode.h"
#include "core/tensor/encode.h"

#include <QtTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

using namespace permafrost::tensor;

namespace {

std::vector<float> random_values(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = normal(random) * (1.0f + static_cast<float>(i / 32 % 5));
    return values;
}

std::vector<float> there_and_back(ElementType type, const std::vector<float>& values) {
    const auto& layout = info(type);
    std::vector<std::byte> bytes(values.size() / layout.block_elements * layout.block_bytes);
    encode(type, values.data(), bytes.data(), values.size());
    std::vector<float> back(values.size());
    decode(type, bytes.data(), back.data(), back.size());
    return back;
}

double squared_error(const std::vector<float>& a, const std::vector<float>& b, std::size_t begin) {
    double sum = 0;
    for (std::size_t i = begin; i < begin + 32; ++i) sum += std::pow(double{a[i]} - b[i], 2);
    return sum;
}

// ggml's reference: the grid through the extreme values, in double.
double plain_error(const std::vector<float>& values, std::size_t begin, int levels, bool has_offset) {
    double least = values[begin], most = least;
    for (std::size_t i = begin; i < begin + 32; ++i) {
        least = std::min<double>(least, values[i]);
        most = std::max<double>(most, values[i]);
    }
    const auto as_half = [](double value) {
        return double{half_to_float(float_to_half(static_cast<float>(value)))};
    };
    const double extreme = std::abs(least) >= std::abs(most) ? least : most;
    const double scale = as_half(has_offset ? (most - least) / (levels - 1) : extreme / -(levels / 2));
    const double offset = has_offset ? as_half(least) : -scale * (levels / 2);
    double sum = 0;
    for (std::size_t i = begin; i < begin + 32; ++i) {
        const double quant = std::clamp<double>(std::round((values[i] - offset) / scale), 0, levels - 1);
        sum += std::pow(scale * quant + offset - values[i], 2);
    }
    return sum;
}

} // namespace

class TestEncode : public QObject {
    Q_OBJECT

  private slots:
    void every_half_comes_back() {
        for (std::uint32_t half = 0; half < 65536; ++half) {
            const float value = half_to_float(static_cast<std::uint16_t>(half));
            if (std::isnan(value))
                QVERIFY(std::isnan(half_to_float(float_to_half(value))));
            else
                QCOMPARE(float_to_half(value), half);
        }
    }

    void halves_are_the_nearest() {
        std::mt19937 random(3);
        for (int i = 0; i < 300000; ++i) {
            const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()) & 0xbfffffffu);
            if (!(std::abs(value) < 65504.0f)) continue;
            const auto half = float_to_half(value);
            const double miss = std::abs(double{half_to_float(half)} - value);
            for (const int step : {-1, 1}) {
                const auto other = static_cast<std::uint16_t>(half + step);
                const double farther = std::abs(double{half_to_float(other)} - value);
                if (std::isnan(farther)) continue;
                QVERIFY(miss <= farther);
                if (miss == farther && half_to_float(other) != half_to_float(half)) QCOMPARE(half & 1, 0);
            }
        }
        QCOMPARE(float_to_half(65520.0f), 0x7c00);
        QCOMPARE(float_to_half(65519.0f), 0x7bff);
        QCOMPARE(float_to_half(-1e30f), 0xfc00);
        QCOMPARE(float_to_bfloat16(1.00390625f), 0x3f80); // half way: to even
        QCOMPARE(float_to_bfloat16(1.01171875f), 0x3f82);
        QCOMPARE(float_to_bfloat16(-INFINITY), 0xff80);
    }

    void eight_bits_are_within_half_a_step() {
        const auto values = random_values(4096, 1);
        const auto back = there_and_back(ElementType::Q8_0, values);
        for (std::size_t begin = 0; begin < values.size(); begin += 32) {
            float largest = 0;
            for (std::size_t i = begin; i < begin + 32; ++i) largest = std::max(largest, std::abs(values[i]));
            for (std::size_t i = begin; i < begin + 32; ++i)
                QVERIFY(std::abs(back[i] - values[i]) <= largest / 127 * 0.5f + largest * 0.001f);
        }
    }

    void fewer_bits_are_no_worse_than_the_reference_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("levels");
        QTest::addColumn<bool>("has_offset");
        QTest::newRow("Q4_0") << int(ElementType::Q4_0) << 16 << false;
        QTest::newRow("Q4_1") << int(ElementType::Q4_1) << 16 << true;
        QTest::newRow("Q5_0") << int(ElementType::Q5_0) << 32 << false;
        QTest::newRow("Q5_1") << int(ElementType::Q5_1) << 32 << true;
    }
    void fewer_bits_are_no_worse_than_the_reference() {
        QFETCH(int, type);
        QFETCH(int, levels);
        QFETCH(bool, has_offset);
        const auto values = random_values(32 * 500, 2);
        const auto back = there_and_back(static_cast<ElementType>(type), values);
        double ours = 0, plain = 0;
        for (std::size_t begin = 0; begin < values.size(); begin += 32) {
            const double error = squared_error(values, back, begin);
            const double reference = plain_error(values, begin, levels, has_offset);
            QVERIFY2(error <= reference * 1.001, qPrintable(QString::number(begin)));
            ours += error;
            plain += reference;
        }
        QVERIFY(ours < 0.97 * plain);
    }

    void groups_of_q4_k_keep_their_range() {
        const auto values = random_values(256 * 40, 6);
        const auto back = there_and_back(ElementType::Q4_K, values);
        for (std::size_t begin = 0; begin < values.size(); begin += 256) {
            float widest = 0; // scales are rounded to 1/63 of the largest of eight groups
            for (std::size_t g = begin; g < begin + 256; g += 32) {
                const auto [least, most] = std::minmax_element(&values[g], &values[g] + 32);
                widest = std::max({widest, *most - std::min(0.0f, *least), -*least});
            }
            for (std::size_t g = begin; g < begin + 256; g += 32) {
                const auto [least, most] = std::minmax_element(&values[g], &values[g] + 32);
                const float step = (*most - std::min(0.0f, *least)) / 15;
                for (std::size_t i = g; i < g + 32; ++i)
                    QVERIFY(std::abs(back[i] - values[i]) <= 0.5f * step + widest / 63 * 1.1f);
            }
        }
    }

    void what_is_on_a_grid_stays() {
        std::vector<float> values(32);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.25f * static_cast<float>(i % 16) - 1.0f;
        QCOMPARE(there_and_back(ElementType::Q4_1, values), values);
        for (auto& value : values) value = 0;
        for (const auto type : {ElementType::Q4_0, ElementType::Q4_1, ElementType::Q5_0, ElementType::Q5_1,
                                ElementType::Q8_0, ElementType::F16, ElementType::BF16, ElementType::F32})
            QCOMPARE(there_and_back(type, values), values);
        const std::vector<float> zeros(256);
        QCOMPARE(there_and_back(ElementType::Q4_K, zeros), zeros);
    }
};

QTEST_APPLESS_MAIN(TestEncode)
#include "tst_encode.moc"
