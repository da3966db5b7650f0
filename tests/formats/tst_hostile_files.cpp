// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files that lie, end early or were damaged: an error each time, never a crash and never a huge allocation.
#include "core/base/atomic_file.h"
#include "core/formats/gguf.h"
#include "core/formats/knot.h"
#include "core/tensor/decode.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/memory_model.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <fstream>
#include <random>
#include <sstream>

using namespace permafrost;
using namespace permafrost::formats;
using namespace std::string_literals;
using test::GgufBytes;

namespace {

constexpr std::uint64_t huge = std::uint64_t{1} << 60;

std::string small_gguf() {
    test::TinyLlama options;
    options.layers = 1;
    options.hidden = 8;
    options.heads = 2;
    options.kv_heads = 1;
    options.ffn = 8;
    options.vocabulary = test::tiny_llama_smallest_vocabulary;
    return test::tiny_llama_bytes(options);
}

std::string small_knot() {
    const test::TemporaryFolder folder;
    const auto model = test::read_from_memory(read_gguf, small_gguf()).value();
    if (!write_knot(folder / "m.knot", model->metadata(), model->tensors(), R"({"layers":[]})").ok())
        return {};
    std::ostringstream text;
    text << std::ifstream(folder / "m.knot", std::ios::binary).rdbuf();
    return text.str();
}

std::string knot_of_header(const std::string& header, const std::string& data = {}) {
    GgufBytes file;
    file.append("KNOT")
        .put(std::uint16_t{1})
        .put(std::uint16_t{0})
        .put(std::uint64_t{header.size()})
        .append(header);
    return file.pad(64).append(data).bytes();
}

std::string knot_of_tensors(const std::string& tensors) {
    return knot_of_header("{\"metadata\":[],\"tensors\":[" + tensors + "]}", std::string(256, '\1'));
}

// Reads every byte that a parsed file offers.
void use(const ModelFile& model) {
    for (const auto& view : model.tensors()) {
        std::vector<float> decoded(view.elements());
        tensor::decode_rows(view, 0, view.rows(), decoded.data());
    }
}

template <class Reader>
void survive_random_flips(Reader read, const std::string& original, std::size_t header_bytes) {
    std::mt19937_64 random(11);
    int opened = 0;
    for (int round = 0; round < 20000; ++round) {
        auto damaged = original;
        const auto flips = 1 + random() % 4;
        for (std::uint64_t i = 0; i < flips; ++i) {
            // Most of them where the structure is.
            const auto range = random() % 8 == 0 ? damaged.size() : header_bytes;
            damaged[random() % range] = static_cast<char>(random());
        }
        const auto model = test::read_from_memory(read, damaged);
        if (model.ok()) {
            use(*model.value());
            ++opened;
        } else {
            QVERIFY(model.message().find("test file") != std::string::npos);
        }
    }
    // Flips inside names and numbers leave a readable file, so both ways were tried.
    QVERIFY(opened > 0);
    QVERIFY(opened < 20000);
}

void add_row(const char* name, const std::string& bytes, const char* expected) {
    QTest::newRow(name) << QByteArray(bytes.data(), static_cast<int>(bytes.size())) << expected;
}

GgufBytes gguf(std::uint64_t tensors, std::uint64_t keys) {
    GgufBytes file;
    return file.header(tensors, keys);
}

} // namespace

class TestHostileFiles : public QObject {
    Q_OBJECT

  private slots:
    void a_lying_gguf_is_refused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        const std::string data(4096, '\0');
        add_row("empty", "", "does not begin with GGUF");
        add_row("wrong magic", "GGUX" + data, "does not begin with GGUF");
        add_row("version 1", GgufBytes().header(0, 0, 1).bytes(), "version 1");
        add_row("version 4", GgufBytes().header(0, 0, 4).bytes(), "version 4 is not known");
        add_row("big-endian", GgufBytes().header(0, 0, 0x03000000).bytes(), "big-endian");
        add_row("2^60 keys", gguf(0, huge).append(data).bytes(), "keys, more than its size allows");
        add_row("2^60 tensors", gguf(huge, 0).append(data).bytes(), "tensors, more than its size allows");
        add_row("key of 2^60 bytes", gguf(0, 1).put(huge).append(data).bytes(), "ends inside");
        add_row("string of 2^60 bytes", gguf(0, 1).key("k", GgufBytes::String, huge).append(data).bytes(),
                "ends inside key 'k'");
        add_row("array of 2^60 strings",
                gguf(0, 1).key("k", GgufBytes::Array, std::uint32_t{8}).put(huge).append(data).bytes(),
                "'k'");
        add_row("array of 2^60 bytes",
                gguf(0, 1).key("k", GgufBytes::Array, std::uint32_t{0}).put(huge).append(data).bytes(),
                "'k'");
        add_row("array a little too long",
                gguf(0, 1)
                    .key("k", GgufBytes::Array, std::uint32_t{4})
                    .put(std::uint64_t{1025})
                    .append(data)
                    .bytes(),
                "ends inside key 'k'");
        add_row("nested array",
                gguf(0, 1)
                    .key("k", GgufBytes::Array, std::uint32_t{9})
                    .put(std::uint64_t{1})
                    .append(data)
                    .bytes(),
                "array of arrays");
        add_row("unknown value type", gguf(0, 1).key("k", static_cast<GgufBytes::Type>(13), data[0]).bytes(),
                "unknown type 13");
        add_row("unknown element type",
                gguf(0, 1)
                    .key("k", GgufBytes::Array, std::uint32_t{77})
                    .put(std::uint64_t{1})
                    .append(data)
                    .bytes(),
                "unknown type 77");
        add_row("duplicate key", gguf(0, 2).key("k", "a").key("k", "b").bytes(), "key 'k' appears twice");
        add_row("alignment 24",
                gguf(0, 1).key("general.alignment", GgufBytes::U32, std::uint32_t{24}).bytes(),
                "power of two");
        add_row("alignment 0", gguf(0, 1).key("general.alignment", GgufBytes::U32, std::uint32_t{0}).bytes(),
                "power of two");
        add_row("alignment 2^63",
                gguf(0, 1).key("general.alignment", GgufBytes::U64, std::uint64_t{1} << 63).bytes(),
                "impossibly large");
        add_row("alignment text", gguf(0, 1).key("general.alignment", "32").bytes(), "power of two");
        add_row("five dimensions", gguf(1, 0).tensor("t", {1, 1, 1, 1, 1}, 0, 0).pad().append(data).bytes(),
                "5 dimensions");
        add_row("2^32 dimensions", gguf(1, 0).put_string("t").put(~std::uint32_t{0}).append(data).bytes(),
                "4294967295 dimensions");
        add_row("product overflows", gguf(1, 0).tensor("t", {huge, huge}, 0, 0).pad().append(data).bytes(),
                "'t' is impossibly large");
        add_row("product wraps to a small number",
                gguf(1, 0)
                    .tensor("t", {std::uint64_t{1} << 32, std::uint64_t{1} << 32, 1}, 0, 0)
                    .pad()
                    .append(data)
                    .bytes(),
                "'t' is impossibly large");
        add_row("bytes overflow", gguf(1, 0).tensor("t", {huge, 4}, 0, 0).pad().append(data).bytes(),
                "'t' is impossibly large");
        add_row("empty dimension", gguf(1, 0).tensor("t", {4, 0}, 0, 0).pad().append(data).bytes(),
                "'t' is empty");
        add_row("half a block", gguf(1, 0).tensor("t", {40, 2}, 2, 0).pad().append(data).bytes(),
                "not whole blocks");
        for (const auto& [name, type, elements] : {std::tuple{"IQ4_XS", 23u, 256u},
                                                   {"IQ1_M", 29u, 256u},
                                                   {"TQ1_0", 34u, 256u},
                                                   {"Q3_K", 11u, 256u},
                                                   {"MXFP4", 39u, 32u},
                                                   {"Q1_0", 41u, 128u},
                                                   {"Q2_0", 42u, 64u}}) {
            const auto block = tensor::info(*tensor::element_type_from_ggml(type)).block_bytes;
            add_row((std::string("part of a block of ") + name).c_str(),
                    gguf(1, 0).tensor("t", {elements - 32 / 2, 2}, type, 0).pad().append(data).bytes(),
                    "not whole blocks");
            add_row((std::string("last block truncated: ") + name).c_str(),
                    gguf(1, 0)
                        .tensor("t", {elements, 3}, type, 0)
                        .pad()
                        .append(data.substr(0, 3 * block - 1))
                        .bytes(),
                    "'t' lies outside the file");
            add_row((std::string("2^50 blocks of ") + name).c_str(),
                    gguf(1, 0)
                        .tensor("t", {elements, std::uint64_t{1} << 50}, type, 0)
                        .pad()
                        .append(data)
                        .bytes(),
                    "'t' ");
        }
        add_row("beyond the end", gguf(1, 0).tensor("t", {1025}, 0, 0).pad().append(data).bytes(),
                "'t' lies outside the file");
        add_row("offset beyond the end", gguf(1, 0).tensor("t", {1}, 0, 8192).pad().append(data).bytes(),
                "'t' lies outside the file");
        add_row("offset that wraps",
                gguf(1, 0).tensor("t", {16}, 0, ~std::uint64_t{31}).pad().append(data).bytes(),
                "'t' lies outside the file");
        add_row("crooked offset", gguf(1, 0).tensor("t", {1}, 0, 4).pad().append(data).bytes(),
                "not a multiple of the alignment 32");
        add_row("overlap",
                gguf(3, 0)
                    .tensor("a", {9}, 0, 0)
                    .tensor("z", {1}, 0, 64)
                    .tensor("b", {1}, 0, 32)
                    .pad()
                    .append(data)
                    .bytes(),
                "'a' and 'b' overlap");
        add_row("same place",
                gguf(2, 0).tensor("a", {1}, 0, 0).tensor("b", {1}, 0, 0).pad().append(data).bytes(),
                "overlap");
        add_row("duplicate tensor",
                gguf(2, 0).tensor("a", {1}, 0, 0).tensor("a", {1}, 0, 32).pad().append(data).bytes(),
                "tensor 'a' appears twice");
        add_row("type 99", gguf(1, 0).tensor("t", {1}, 99, 0).pad().append(data).bytes(),
                "tensor 't' is stored as type 99, which is not supported; supported are F32, F16");
        add_row("removed type", gguf(1, 0).tensor("t", {256}, 31, 0).pad().append(data).bytes(),
                "'t' is stored as Q4_0_4_4, which is not supported");
        add_row("type of activations", gguf(1, 0).tensor("t", {256}, 9, 0).pad().append(data).bytes(),
                "'t' is stored as Q8_1, which is not supported");
        add_row("endless name",
                gguf(1, 0).tensor(std::string(3000, 'x'), {0}, 0, 0).pad().append(data).bytes(),
                "xxx…' is empty");
    }
    void a_lying_gguf_is_refused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        const auto model = test::read_from_memory(read_gguf, bytes.toStdString());
        QVERIFY(!model.ok());
        const auto message = QString::fromStdString(model.message());
        QVERIFY2(message.contains(expected), qPrintable(message));
        QVERIFY2(message.startsWith("test file: ") && message.size() < 400, qPrintable(message));
    }

    void a_lying_knot_is_refused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        const auto head = [](std::uint16_t major, std::uint64_t length) {
            return GgufBytes().append("KNOT").put(major).put(std::uint16_t{7}).put(length).bytes();
        };
        const auto keys = [](const std::string& entries) {
            return knot_of_header("{\"metadata\":[" + entries + "]}");
        };
        const auto tensor = [](const std::string& members) {
            return knot_of_tensors("{\"name\":\"t\"," + members + "}");
        };
        add_row("empty", "", "does not begin with KNOT");
        add_row("only a magic", "KNOT", "truncated");
        add_row("version 2", head(2, 2) + "{}", "version 2.7");
        add_row("header of 2^60 bytes", head(1, huge) + "{}", "truncated");
        add_row("no JSON", knot_of_header("{\"metadata\":"), "not a JSON object");
        add_row("an array", knot_of_header("[]"), "not a JSON object");
        add_row("invalid UTF-8", knot_of_header("{\"a\":\"\xff\"}"), "not a JSON object");
        add_row("nested too deeply", knot_of_header(std::string(100000, '[')), "nested too deeply");
        add_row("metadata no array", knot_of_header(R"({"metadata":{}})"), "not an array");
        add_row("tensors no array", knot_of_header(R"({"tensors":5})"), "not an array");
        add_row("two-part entry", keys(R"(["k","u8"])"), "[key, type, value]");
        add_row("key no string", keys(R"([5,"u8",1])"), "not a string");
        add_row("duplicate key", keys(R"(["k","u8",1],["k","u8",1])"), "'k' appears twice");
        add_row("unknown type", keys(R"(["k","u128",1])"), "'k' has the unknown type");
        add_row("array of arrays", keys(R"(["k","array:array",[]])"), "unknown type");
        add_row("u8 of 256", keys(R"(["k","u8",256])"), "does not hold a value of type u8");
        add_row("u8 of -1", keys(R"(["k","u8",-1])"), "type u8");
        add_row("i8 of -129", keys(R"(["k","i8",-129])"), "type i8");
        add_row("i64 of 2^63", keys(R"(["k","i64",9223372036854775808])"), "type i64");
        add_row("u64 as float", keys(R"(["k","u64",1.0])"), "type u64");
        add_row("string as number", keys(R"(["k","string",1])"), "type string");
        add_row("bad base64", keys(R"(["k","string",{"base64":"a?=="}])"), "type string");
        add_row("short base64", keys(R"(["k","string",{"base64":"abc"}])"), "type string");
        add_row("f32 as text", keys(R"(["k","f32","big"])"), "type f32");
        add_row("no array", keys(R"(["k","array:u8",1])"), "does not hold an array");
        add_row("mixed array", keys(R"(["k","array:bool",[true,1]])"), "type bool");
        add_row("tensor no object", knot_of_tensors("7"), "no name or type");
        add_row("tensor without type", tensor(R"("shape":[1])"), "no name or type");
        add_row("unknown tensor type", tensor(R"("type":"IQ9_S","shape":[1],"offset":0,"size":4)"),
                "'t' is stored as 'IQ9_S', which is not supported; supported are F32");
        add_row("no size", tensor(R"("type":"F32","shape":[1],"offset":0)"), "lacks a valid");
        add_row("negative offset", tensor(R"("type":"F32","shape":[1],"offset":-64,"size":4)"),
                "lacks a valid");
        add_row("shape of fractions", tensor(R"("type":"F32","shape":[1.5],"offset":0,"size":4)"),
                "lacks a valid");
        add_row("five dimensions", tensor(R"("type":"F32","shape":[1,1,1,1,1],"offset":0,"size":4)"),
                "lacks a valid");
        add_row("size lies", tensor(R"("type":"F32","shape":[2],"offset":0,"size":4)"), "claims 4 bytes");
        add_row("overflow", tensor(R"("type":"F32","shape":[4294967296,4294967296],"offset":0,"size":0)"),
                "impossibly large");
        add_row("beyond the end", tensor(R"("type":"F32","shape":[65],"offset":0,"size":260)"),
                "outside the file");
        add_row("offset wraps",
                tensor(R"("type":"F32","shape":[16],"offset":18446744073709551552,"size":64)"),
                "outside the file");
        add_row("crooked offset", tensor(R"("type":"F32","shape":[1],"offset":32,"size":4)"),
                "multiple of the alignment");
        add_row("overlap",
                knot_of_tensors(R"({"name":"a","type":"F32","shape":[17],"offset":0,"size":68},)"
                                R"({"name":"b","type":"F32","shape":[1],"offset":64,"size":4})"),
                "'a' and 'b' overlap");
        add_row("duplicate tensor",
                knot_of_tensors(R"({"name":"a","type":"F32","shape":[1],"offset":0,"size":4},)"
                                R"({"name":"a","type":"F32","shape":[1],"offset":64,"size":4})"),
                "'a' appears twice");
    }
    void a_lying_knot_is_refused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        const auto model = test::read_from_memory(read_knot, bytes.toStdString());
        QVERIFY(!model.ok());
        const auto message = QString::fromStdString(model.message());
        QVERIFY2(message.contains(expected), qPrintable(message));
        QVERIFY2(message.startsWith("test file: ") && message.size() < 400, qPrintable(message));
    }

    void every_truncation_of_a_gguf_is_refused() {
        const auto whole = small_gguf();
        QVERIFY(test::read_from_memory(read_gguf, whole).ok());
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const auto model = test::read_from_memory(read_gguf, std::string_view(whole).substr(0, size));
            QVERIFY2(!model.ok(), std::to_string(size).c_str());
        }
    }

    void every_truncation_of_a_knot_is_refused() {
        const auto whole = small_knot();
        QVERIFY(test::read_from_memory(read_knot, whole).ok());
        for (std::size_t size = 0; size < whole.size(); size += size < 600 ? 1 : 7) {
            const auto model = test::read_from_memory(read_knot, std::string_view(whole).substr(0, size));
            QVERIFY2(!model.ok(), std::to_string(size).c_str());
        }
    }

    void random_damage_to_a_gguf_never_crashes() {
        const auto original = small_gguf();
        const std::size_t header = original.size() - 272 * 8 * 4 - 8 * 8 * 4 * 6;
        survive_random_flips(read_gguf, original, header);
    }

    void random_damage_to_a_knot_never_crashes() {
        const auto original = small_knot();
        survive_random_flips(read_knot, original, original.find("}\n", original.find("\"tensors\"")));
    }

    void other_formats_are_named_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        const std::string tail(100, ' ');
        add_row("empty", "", "is empty");
        add_row("text", "hello", "unknown format");
        add_row("safetensors", "\x20\0\0\0\0\0\0\0{\"a\":"s + tail, "safetensors");
        add_row("old ggml", "lmgg" + tail, "before GGUF");
        add_row("PyTorch", "PK\x03\x04" + tail, "ZIP");
        add_row("LFS pointer", "version https://git-lfs.github.com/spec/v1" + tail, "git lfs pull");
    }
    void other_formats_are_named() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        const test::TemporaryFolder folder;
        const auto path = (folder / "model.bin").string();
        QVERIFY(write_file(path, bytes.toStdString()).ok());
        const auto model = open_model_file(path);
        QVERIFY(!model.ok());
        QVERIFY2(QString::fromStdString(model.message()).contains(expected), model.message().c_str());
        QVERIFY(model.message().starts_with(path));
    }

    void folders_and_missing_files_are_named() {
        const test::TemporaryFolder folder;
        QVERIFY(open_model_file(folder.path().string()).message().find("is a folder") != std::string::npos);
        QVERIFY(open_model_file((folder / "no.gguf").string()).message().find("no.gguf") !=
                std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestHostileFiles)
#include "tst_hostile_files.moc"
