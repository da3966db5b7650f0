// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/tensor/decode.h"
#include "core/tensor/half.h"
#include "tests/support/random_blocks.h"

#include <QtTest>

#include <bit>
#include <cmath>

using namespace permafrost;
using namespace permafrost::tensor;

namespace {

const std::vector<ElementType> all_types = [] {
    std::vector<ElementType> types;
    for (std::uint32_t id = 0; id < 100; ++id)
        if (const auto type = element_type_from_ggml(id)) types.push_back(*type);
    return types;
}();

// The definition of IEEE half precision, in double arithmetic.
double half_by_definition(std::uint16_t half) {
    const int exponent = half >> 10 & 31;
    const int mantissa = half & 1023;
    const double sign = half & 0x8000 ? -1.0 : 1.0;
    if (exponent == 31) return mantissa == 0 ? sign * HUGE_VAL : std::nan("");
    return exponent == 0 ? sign * std::ldexp(mantissa, -24)
                         : sign * std::ldexp(1024 + mantissa, exponent - 25);
}

bool same_number(float a, double b) {
    return std::isnan(b) ? std::isnan(a) : static_cast<double>(a) == b && std::signbit(a) == std::signbit(b);
}

struct Fixture {
    std::string blocks;
    std::vector<float> values;
};

// Layout as tests/tensor/make_fixtures.py writes it.
Fixture read_fixture(const QString& name) {
    const auto text =
        read_text_file(PERMAFROST_TEST_DATA "/tensor/data/" + name.toLower().toStdString() + ".bin");
    if (!text.ok()) return {};
    ByteReader reader(bytes_of(text.value()));
    const auto elements = *reader.read<std::uint32_t>();
    const auto size = *reader.read<std::uint32_t>();
    Fixture fixture{std::string(text_of(*reader.read_bytes(size))), std::vector<float>(elements)};
    for (auto& value : fixture.values) value = *reader.read<float>();
    return fixture;
}

} // namespace

class TestDecode : public QObject {
    Q_OBJECT

  private slots:
    void equals_gguf_py_bit_for_bit_data() {
        QTest::addColumn<QString>("name");
        for (const auto type : all_types)
            if (type != ElementType::F32) {
                const auto name = QString::fromStdString(std::string(info(type).name));
                QTest::newRow(qPrintable(name)) << name;
            }
    }
    void equals_gguf_py_bit_for_bit() {
        QFETCH(QString, name);
        const auto type = element_type_from_name(name.toStdString());
        QVERIFY(type);
        const auto fixture = read_fixture(name);
        QCOMPARE(fixture.values.size(), std::size_t{1024});
        std::vector<float> decoded(fixture.values.size());
        decode(*type, bytes_of(fixture.blocks).data(), decoded.data(), decoded.size());
        for (std::size_t i = 0; i < decoded.size(); ++i)
            QCOMPARE(std::bit_cast<std::uint32_t>(decoded[i]),
                     std::bit_cast<std::uint32_t>(fixture.values[i]));
    }

    void f32_is_copied() {
        const float values[] = {1.5f, -0.0f, 3e-45f, 1e38f};
        float decoded[4];
        decode(ElementType::F32, reinterpret_cast<const std::byte*>(values), decoded, 4);
        QCOMPARE(std::memcmp(decoded, values, sizeof values), 0);
    }

    void each_half_has_its_value() {
        for (std::uint32_t half = 0; half < 65536; ++half) {
            const auto bits = static_cast<std::uint16_t>(half);
            QVERIFY(same_number(half_to_float(bits), half_by_definition(bits)));
            QVERIFY(same_number(half_to_float_portable(bits), half_by_definition(bits)));
        }
    }

    void a_run_of_halves_equals_the_halves_one_by_one() {
        std::vector<std::uint16_t> halves(65536);
        for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
        std::vector<float> decoded(halves.size());
        decode(ElementType::F16, bytes_of(std::span<const std::uint16_t>(halves)).data(), decoded.data(),
               decoded.size());
        for (std::size_t i = 0; i < halves.size(); ++i)
            QVERIFY(same_number(decoded[i], half_by_definition(halves[i])));
    }

    void bfloat16_is_the_upper_half_of_an_f32() {
        QCOMPARE(bfloat16_to_float(0x3f80), 1.0f);
        QCOMPARE(bfloat16_to_float(0xc040), -3.0f);
        QCOMPARE(bfloat16_to_float(0x7f80), HUGE_VALF);
        QVERIFY(std::isnan(bfloat16_to_float(0x7fc0)));
    }

    void unaligned_bytes_decode_alike() {
        std::mt19937_64 random(3);
        for (const auto type : all_types) {
            const auto bytes = test::random_tensor(type, 512, 1.0f, random);
            const auto shifted = "x" + bytes;
            std::vector<float> straight(512), skewed(512);
            decode(type, bytes_of(bytes).data(), straight.data(), 512);
            decode(type, bytes_of(shifted).data() + 1, skewed.data(), 512);
            QVERIFY2(straight == skewed, info(type).name.data());
        }
    }

    void rows_of_a_matrix_are_the_rows_of_the_whole() {
        std::mt19937_64 random(4);
        for (const auto type : all_types) {
            const auto bytes = test::random_tensor(type, 5 * 256, 1.0f, random);
            const TensorView view{"w", type, {5, 256}, bytes_of(bytes)};
            std::vector<float> whole(5 * 256), part(2 * 256);
            decode_rows(view, 0, 5, whole.data());
            decode_rows(view, 2, 2, part.data());
            QVERIFY2(std::equal(part.begin(), part.end(), whole.begin() + 2 * 256), info(type).name.data());
        }
    }

    void a_vector_is_one_row() {
        const float values[] = {1, 2, 3};
        const TensorView view{"v", ElementType::F32, {3}, std::as_bytes(std::span(values))};
        QCOMPARE(view.rows(), std::uint64_t{1});
        float decoded[3];
        decode_rows(view, 0, 1, decoded);
        QCOMPARE(decoded[2], 3.0f);
    }
};

QTEST_APPLESS_MAIN(TestDecode)
#include "tst_decode.moc"
