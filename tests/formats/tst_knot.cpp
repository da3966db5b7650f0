// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/formats/json_value.h"
#include "core/formats/knot.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace permafrost;
using namespace permafrost::formats;

namespace {

Metadata written_and_read(const Metadata& metadata) {
    const test::TemporaryFolder folder;
    const auto path = folder / "m.knot";
    if (!write_knot(path, metadata, {}).ok()) return {};
    const auto model = open_model_file(path.string());
    return model.ok() ? model.value()->metadata() : Metadata();
}

Value written_and_read(const Value& value) {
    Metadata metadata;
    metadata.set("k", value);
    const auto back = written_and_read(metadata);
    return back.find("k") ? *back.find("k") : make_value("lost");
}

bool same(const Value& a, const Value& b) {
    Metadata left, right;
    left.set("k", a);
    right.set("k", b);
    return header_identity(left, {}) == header_identity(right, {});
}

} // namespace

class TestKnot : public QObject {
    Q_OBJECT

  private slots:
    void numbers_come_back_exactly() {
        const Value numbers[] = {
            {ValueType::U8, std::uint64_t{255}},
            {ValueType::I8, std::int64_t{-128}},
            {ValueType::U16, std::uint64_t{65535}},
            {ValueType::I16, std::int64_t{-32768}},
            {ValueType::U32, std::uint64_t{4294967295}},
            {ValueType::I32, std::int64_t{-2147483648}},
            {ValueType::I32, std::int64_t{7}},
            {ValueType::U64, ~std::uint64_t{0}},
            {ValueType::U64, (std::uint64_t{1} << 53) + 1},
            {ValueType::I64, std::numeric_limits<std::int64_t>::min()},
            {ValueType::I64, std::numeric_limits<std::int64_t>::max()},
            {ValueType::F64, 0.1},
            {ValueType::F64, 5e-324},
            {ValueType::F64, 1.7976931348623157e308},
            {ValueType::F64, 1e15},
            make_value(0.1f),
            make_value(1e-45f),
            make_value(-0.0f),
            make_value(true),
            make_value(false),
        };
        for (const auto& number : numbers) {
            const auto back = written_and_read(number);
            QCOMPARE(back.type, number.type);
            QVERIFY(back.data.index() == number.data.index());
            QVERIFY(same(back, number));
        }
        QVERIFY(std::signbit(std::get<double>(written_and_read(make_value(-0.0f)).data)));
    }

    void numbers_that_json_cannot_write_come_back_too() {
        QCOMPARE(std::get<double>(written_and_read(make_value(HUGE_VALF)).data), HUGE_VAL);
        QCOMPARE(std::get<double>(written_and_read(make_value(-HUGE_VALF)).data), -HUGE_VAL);
        QVERIFY(std::isnan(std::get<double>(written_and_read(make_value(std::nanf(""))).data)));
    }

    void any_bytes_are_a_string_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("quotes and controls") << QByteArray("\"\\\n\x01\x7f\0x", 7);
        QTest::newRow("UTF-8") << QByteArray("\u0120the \U0001F9CA");
        QTest::newRow("one stray byte") << QByteArray("\xff");
        QTest::newRow("two stray bytes") << QByteArray("\x80\x80");
        QTest::newRow("three stray bytes") << QByteArray("\xfe\xfe\xfe");
        QTest::newRow("cut sequence") << QByteArray("abc\xe2\x82");
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80");
        QTest::newRow("overlong") << QByteArray("\xc0\x80");
        QTest::newRow("beyond Unicode") << QByteArray("\xf4\x90\x80\x80");
    }
    void any_bytes_are_a_string() {
        QFETCH(QByteArray, text);
        const auto value = make_value(text.toStdString());
        QCOMPARE(std::get<std::string>(written_and_read(value).data), text.toStdString());
        Metadata metadata;
        metadata.set(text.toStdString(), make_value(std::vector<std::string>{"a", text.toStdString()}));
        const auto back = written_and_read(metadata);
        const auto* list = back.strings(text.toStdString());
        QVERIFY(list);
        QCOMPARE(list->at(1), text.toStdString());
    }

    // A file may hold what the JSON library refuses to write, so both must agree on what UTF-8 is.
    void utf8_is_what_the_json_library_writes() {
        for (unsigned a = 0; a < 256; ++a)
            for (unsigned b = 0; b < 256; ++b)
                for (const char* tail : {"", "\x80", "\x80\x80"}) {
                    std::string text{static_cast<char>(a), static_cast<char>(b)};
                    text += tail;
                    const auto replaced =
                        nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::ignore);
                    const bool kept = nlohmann::json::parse(replaced).get<std::string>() == text;
                    QCOMPARE(is_utf8(text), kept);
                }
    }

    void arrays_keep_type_and_values() {
        const Value arrays[] = {
            make_value(std::vector<std::int32_t>{-1, 0, 2}),
            make_value(std::vector<float>{0.1f, HUGE_VALF}),
            make_value(std::vector<std::uint8_t>{0, 255}),
            make_value(std::vector<std::string>{}),
            {ValueType::Array, ValueArray{ValueType::Bool, std::vector<std::uint64_t>{1, 0}}},
            {ValueType::Array, ValueArray{ValueType::I64, std::vector<std::int64_t>{}}}};
        for (const auto& array : arrays) QVERIFY(same(written_and_read(array), array));
    }

    void order_of_keys_is_kept() {
        Metadata metadata;
        for (const char* key : {"z", "a", "m"}) metadata.set(key, make_value(key));
        const auto back = written_and_read(metadata);
        QCOMPARE(back.entries()[0].first, std::string("z"));
        QCOMPARE(back.entries()[2].first, std::string("m"));
    }

    void tensors_begin_at_multiples_of_64() {
        const test::TemporaryFolder folder;
        const float a[3] = {1, 2, 3}, b[2] = {4, 5};
        const std::vector<tensor::TensorView> tensors{
            {"a", tensor::ElementType::F32, {3}, std::as_bytes(std::span(a))},
            {"b", tensor::ElementType::F32, {2, 1}, std::as_bytes(std::span(b))}};
        QVERIFY(write_knot(folder / "m.knot", {}, tensors).ok());
        const auto text = read_text_file(folder / "m.knot").value();
        const auto begin = text.size() - 128;
        QCOMPARE(begin % 64, std::size_t{0});
        QCOMPARE(text.compare(begin, 12, reinterpret_cast<const char*>(a), 12), 0);
        QCOMPARE(text.compare(begin + 64, 8, reinterpret_cast<const char*>(b), 8), 0);
        const auto model = open_model_file((folder / "m.knot").string()).value();
        QCOMPARE(model->find("b")->shape, (std::vector<std::uint64_t>{2, 1}));
        QVERIFY(text_of(model->find("b")->bytes) == text_of(tensors[1].bytes));
    }

    void saturation_maps_are_carried_and_do_not_change_the_model() {
        const test::TemporaryFolder folder;
        const std::string maps = R"({"layers":{"0":{"mask":[255,1]}},"threshold":0.01})";
        Metadata metadata;
        metadata.set("general.name", make_value("m"));
        QVERIFY(write_knot(folder / "m.rknot", metadata, {}, maps).ok());
        QVERIFY(write_knot(folder / "m.knot", metadata, {}).ok());
        QCOMPARE(nlohmann::json::parse(read_saturation_maps(folder / "m.rknot").value()),
                 nlohmann::json::parse(maps));
        QCOMPARE(read_saturation_maps(folder / "m.knot").value(), std::string());
        QCOMPARE(open_model_file((folder / "m.rknot").string()).value()->header_sha256(),
                 open_model_file((folder / "m.knot").string()).value()->header_sha256());
        QVERIFY(!read_saturation_maps(folder / "missing").ok());
    }

    void maps_that_are_no_json_are_not_written() {
        const test::TemporaryFolder folder;
        QVERIFY(!write_knot(folder / "m.rknot", {}, {}, "{\"a\":").ok());
        QVERIFY(std::filesystem::is_empty(folder.path()));
    }

    void unknown_header_keys_and_newer_minor_versions_are_read() {
        const test::TemporaryFolder folder;
        const std::string header = R"({"future":{"x":[1]},"metadata":[["k","u8",1]]})";
        std::string text("KNOT\x01\0\x09\0", 8);
        const auto length = std::uint64_t{header.size()};
        text.append(reinterpret_cast<const char*>(&length), 8).append(header);
        QVERIFY(write_file(folder / "m.knot", text).ok());
        const auto model = open_model_file((folder / "m.knot").string());
        QVERIFY2(model.ok(), model.message().c_str());
        QCOMPARE(*model.value()->metadata().unsigned_integer("k"), std::uint64_t{1});
        QVERIFY(model.value()->tensors().empty());
    }
};

QTEST_APPLESS_MAIN(TestKnot)
#include "tst_knot.moc"
