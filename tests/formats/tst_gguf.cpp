// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/gguf.h"
#include "core/tensor/decode.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/memory_model.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <fstream>
#include <limits>
#include <sstream>

using namespace permafrost;
using namespace permafrost::formats;
using test::GgufBytes;

namespace {

Result<ModelFilePtr> parse(const GgufBytes& file) { return test::read_from_memory(read_gguf, file.bytes()); }

std::string content_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

tensor::TensorView floats(const std::string& name, std::span<const float> values) {
    return {name, tensor::ElementType::F32, {values.size()}, std::as_bytes(values)};
}

} // namespace

class TestGguf : public QObject {
    Q_OBJECT

  private slots:
    void reads_scalars_of_each_type() {
        GgufBytes file;
        file.header(0, 12)
            .key("u8", GgufBytes::U8, std::uint8_t{200})
            .key("i8", GgufBytes::I8, std::int8_t{-100})
            .key("u16", GgufBytes::U16, std::uint16_t{60000})
            .key("i16", GgufBytes::I16, std::int16_t{-30000})
            .key("u32", GgufBytes::U32, std::uint32_t{4000000000})
            .key("i32", GgufBytes::I32, std::int32_t{-2000000000})
            .key("u64", GgufBytes::U64, ~std::uint64_t{0})
            .key("i64", GgufBytes::I64, std::numeric_limits<std::int64_t>::min())
            .key("f32", GgufBytes::F32, 0.1f)
            .key("f64", GgufBytes::F64, 0.1)
            .key("bool", GgufBytes::Bool, std::uint8_t{1})
            .key("string", std::string_view("a\0b", 3));
        const auto model = parse(file);
        QVERIFY2(model.ok(), model.message().c_str());
        const auto& keys = model.value()->metadata();
        QCOMPARE(*keys.unsigned_integer("u8"), std::uint64_t{200});
        QCOMPARE(*keys.signed_integer("i8"), std::int64_t{-100});
        QCOMPARE(*keys.unsigned_integer("u16"), std::uint64_t{60000});
        QCOMPARE(*keys.signed_integer("i16"), std::int64_t{-30000});
        QCOMPARE(*keys.unsigned_integer("u32"), std::uint64_t{4000000000});
        QCOMPARE(*keys.signed_integer("i32"), std::int64_t{-2000000000});
        QCOMPARE(*keys.unsigned_integer("u64"), ~std::uint64_t{0});
        QCOMPARE(*keys.signed_integer("i64"), std::numeric_limits<std::int64_t>::min());
        QCOMPARE(*keys.number("f32"), static_cast<double>(0.1f));
        QCOMPARE(*keys.number("f64"), 0.1);
        QCOMPARE(*keys.boolean("bool"), true);
        QCOMPARE(*keys.string("string"), std::string("a\0b", 3));
        QCOMPARE(keys.entries()[2].first, std::string("u16"));
        QCOMPARE(keys.find("u16")->type, ValueType::U16);
    }

    void reads_arrays() {
        GgufBytes file;
        file.header(0, 4)
            .array("i16", GgufBytes::I16, std::vector<std::int16_t>{-1, 2, 3})
            .array("f32", GgufBytes::F32, std::vector<float>{0.5f})
            .array("bool", GgufBytes::Bool, std::vector<std::uint8_t>{0, 1, 2})
            .key("strings", std::vector<std::string>{"", "\xff", "c"});
        const auto model = parse(file);
        QVERIFY2(model.ok(), model.message().c_str());
        const auto& keys = model.value()->metadata();
        QCOMPARE(*keys.numbers("i16"), (std::vector<double>{-1, 2, 3}));
        QCOMPARE(*keys.numbers("f32"), (std::vector<double>{0.5}));
        QCOMPARE(*keys.strings("strings"), (std::vector<std::string>{"", "\xff", "c"}));
        const auto& truths = std::get<ValueArray>(keys.find("bool")->data);
        QCOMPARE(truths.element, ValueType::Bool);
        QCOMPARE(std::get<std::vector<std::uint64_t>>(truths.values), (std::vector<std::uint64_t>{0, 1, 1}));
    }

    void version_2_is_read_too() {
        GgufBytes file;
        file.header(0, 0, 2);
        QVERIFY(parse(file).ok());
    }

    void shapes_are_outermost_first_and_tensors_may_lie_in_any_order() {
        const float data[16] = {0, 1, 2, 3, 4, 5, 0, 0, 9};
        GgufBytes file;
        file.header(2, 0)
            .tensor("second", {1}, 0, 32)
            .tensor("matrix", {3, 2}, 0, 0)
            .pad()
            .append({reinterpret_cast<const char*>(data), sizeof data});
        const auto model = parse(file);
        QVERIFY2(model.ok(), model.message().c_str());
        const auto* matrix = model.value()->find("matrix");
        QCOMPARE(matrix->shape, (std::vector<std::uint64_t>{2, 3}));
        float row[3];
        tensor::decode_rows(*matrix, 1, 1, row);
        QCOMPARE(row[0], 3.0f);
        tensor::decode_rows(*model.value()->find("second"), 0, 1, row);
        QCOMPARE(row[0], 9.0f);
        QVERIFY(!model.value()->find("third"));
    }

    void a_larger_alignment_is_obeyed() {
        GgufBytes file;
        file.header(1, 1)
            .key("general.alignment", GgufBytes::U32, std::uint32_t{256})
            .tensor("t", {1}, 0, 0)
            .pad(256)
            .put(2.5f);
        const auto model = parse(file);
        QVERIFY2(model.ok(), model.message().c_str());
        float value = 0;
        tensor::decode_rows(*model.value()->find("t"), 0, 1, &value);
        QCOMPARE(value, 2.5f);
    }

    void the_tiny_model_reads_and_writes_to_the_same_bytes() {
        const test::TemporaryFolder folder;
        test::TinyLlama options;
        options.hidden = 256;
        options.ffn = 256;
        options.embedding_type = tensor::ElementType::Q8_0;
        options.attention_type = tensor::ElementType::Q5_1;
        options.ffn_type = tensor::ElementType::Q4_K;
        options.down_type = tensor::ElementType::Q6_K;
        const auto path = test::write_tiny_llama(folder.path(), options);
        const auto model = open_model_file(path.string());
        QVERIFY2(model.ok(), model.message().c_str());
        QCOMPARE(model.value()->format(), FileFormat::Gguf);
        QCOMPARE(model.value()->tensors().size(), std::size_t{20});
        QVERIFY(write_gguf(folder / "copy.gguf", model.value()->metadata(), model.value()->tensors()).ok());
        QVERIFY(content_of(folder / "copy.gguf") == content_of(path));
    }

    void written_tensors_are_packed_in_order_with_padding() {
        const test::TemporaryFolder folder;
        const float a[3] = {1, 2, 3}, b[1] = {4};
        Metadata metadata;
        metadata.set("general.alignment", make_value(std::uint32_t{64}));
        QVERIFY(write_gguf(folder / "t.gguf", metadata, {floats("a", a), floats("b", b)}).ok());
        GgufBytes expected;
        expected.header(2, 1)
            .key("general.alignment", GgufBytes::U32, std::uint32_t{64})
            .tensor("a", {3}, 0, 0)
            .tensor("b", {1}, 0, 64)
            .pad(64)
            .put(1.0f)
            .put(2.0f)
            .put(3.0f)
            .pad(64)
            .put(4.0f)
            .pad(64);
        QVERIFY(content_of(folder / "t.gguf") == expected.bytes());
    }

    void a_file_without_tensors_can_be_written_and_read() {
        const test::TemporaryFolder folder;
        Metadata metadata;
        metadata.set("permafrost.mask", make_value(std::vector<std::uint8_t>{1, 2, 255}));
        QVERIFY(write_gguf(folder / "t.gguf", metadata, std::vector<tensor::TensorView>{}).ok());
        const auto model = open_model_file((folder / "t.gguf").string());
        QVERIFY2(model.ok(), model.message().c_str());
        QCOMPARE(*model.value()->metadata().numbers("permafrost.mask"), (std::vector<double>{1, 2, 255}));
    }

    void a_tensor_whose_bytes_do_not_fit_is_not_written() {
        const test::TemporaryFolder folder;
        const float a[3] = {1, 2, 3};
        auto wrong = floats("a", a);
        wrong.shape = {2, 2};
        const auto written = write_gguf(folder / "t.gguf", {}, {wrong});
        QVERIFY(!written.ok());
        QVERIFY(written.message().find("'a'") != std::string::npos);
        QVERIFY(!std::filesystem::exists(folder / "t.gguf"));
        QVERIFY(!write_gguf(folder / "t.gguf", {}, {floats("a", a), floats("a", a)}).ok());
    }

    void a_stopped_write_leaves_no_file() {
        const test::TemporaryFolder folder;
        const float a[3] = {1, 2, 3};
        std::stop_source source;
        source.request_stop();
        const auto written = write_gguf(folder / "t.gguf", {}, {floats("a", a)}, {source.get_token(), {}});
        QVERIFY(written.cancelled());
        QVERIFY(std::filesystem::is_empty(folder.path()));
    }
};

QTEST_APPLESS_MAIN(TestGguf)
#include "tst_gguf.moc"
