// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models in several GGUF files, as llama.cpp's gguf-split writes them.
#include "core/base/atomic_file.h"
#include "core/formats/convert.h"
#include "core/formats/gguf.h"
#include "core/tensor/decode.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/memory_model.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <functional>

using namespace permafrost;
using namespace permafrost::formats;
using test::GgufBytes;

namespace {

constexpr std::uint64_t rows = 2;

// Tensor "tN" of two f32 rows: N and N + 0.5.
void add_tensors(GgufBytes& file, const std::vector<int>& numbers) {
    std::uint64_t offset = 0;
    for (const int number : numbers) {
        file.tensor("t" + std::to_string(number), {1, rows}, 0, offset);
        offset += 32;
    }
    file.pad();
    for (const int number : numbers)
        file.put(static_cast<float>(number)).put(static_cast<float>(number) + 0.5f).pad();
}

GgufBytes& add_metadata(GgufBytes& file, const char* name = "Model") {
    return file.key("general.architecture", "llama")
        .key("general.name", name)
        .array("llama.numbers", GgufBytes::I32, std::vector<std::int32_t>{1, 2, 3});
}

GgufBytes& add_split(GgufBytes& file, int part, int parts, int tensors) {
    return file.key("split.no", GgufBytes::U16, static_cast<std::uint16_t>(part))
        .key("split.count", GgufBytes::U16, static_cast<std::uint16_t>(parts))
        .key("split.tensors.count", GgufBytes::I32, static_cast<std::int32_t>(tensors));
}

std::string whole_model() {
    GgufBytes file;
    add_metadata(file.header(5, 3));
    add_tensors(file, {0, 1, 2, 3, 4});
    return file.bytes();
}

std::string first_part(int parts = 3, int tensors = 5, const std::vector<int>& numbers = {0, 1}) {
    GgufBytes file;
    add_split(add_metadata(file.header(numbers.size(), 6)), 0, parts, tensors);
    add_tensors(file, numbers);
    return file.bytes();
}

std::string later_part(int part, const std::vector<int>& numbers, int parts = 3, int tensors = 5) {
    GgufBytes file;
    add_split(file.header(numbers.size(), 3), part, parts, tensors);
    add_tensors(file, numbers);
    return file.bytes();
}

struct SplitModel {
    test::TemporaryFolder folder;
    std::string path(int part) const {
        return (folder / ("m-0000" + std::to_string(part + 1) + "-of-00003.gguf")).string();
    }
    void write(int part, const std::string& bytes) const { QVERIFY(write_file(path(part), bytes).ok()); }
    SplitModel() {
        write(0, first_part());
        write(1, later_part(1, {2}));
        write(2, later_part(2, {4, 3}));
    }
    std::string error(int part = 0) const {
        const auto model = open_model_file(path(part));
        return model.ok() ? "no error" : model.message();
    }
};

using Damage = std::function<void(const SplitModel&)>;

} // namespace

Q_DECLARE_METATYPE(Damage)

class TestGgufSplit : public QObject {
    Q_OBJECT

  private slots:
    void any_part_opens_the_whole_model_data() {
        QTest::addColumn<int>("part");
        for (int part = 0; part < 3; ++part) QTest::addRow("part %d", part + 1) << part;
    }
    void any_part_opens_the_whole_model() {
        QFETCH(int, part);
        const SplitModel split;
        const auto model = open_model_file(split.path(part));
        QVERIFY2(model.ok(), model.message().c_str());
        QCOMPARE(model.value()->location(), split.path(0));
        QCOMPARE(model.value()->tensors().size(), std::size_t{5});
        for (int number = 0; number < 5; ++number) {
            const auto* view = model.value()->find("t" + std::to_string(number));
            QVERIFY(view);
            float values[rows];
            tensor::decode_rows(*view, 0, rows, values);
            QCOMPARE(values[0], static_cast<float>(number));
            QCOMPARE(values[1], static_cast<float>(number) + 0.5f);
        }
    }

    void a_split_model_is_the_same_model() {
        const SplitModel split;
        const auto whole = test::read_from_memory(read_gguf, whole_model());
        const auto parts = open_model_file(split.path(0));
        QVERIFY2(parts.ok(), parts.message().c_str());
        QCOMPARE(parts.value()->header_sha256(), whole.value()->header_sha256());
        QVERIFY(!parts.value()->metadata().find("split.count"));
    }

    void conversion_writes_one_file_without_a_trace() {
        const SplitModel split;
        split.write(2, later_part(2, {3, 4}));
        const auto model = open_model_file(split.path(1));
        QVERIFY2(model.ok(), model.message().c_str());
        QVERIFY(convert_model(*model.value(), split.folder / "whole.gguf").ok());
        QVERIFY(read_text_file(split.folder / "whole.gguf").value() == whole_model());
        QVERIFY(convert_model(*model.value(), split.folder / "whole.knot").ok());
        QCOMPARE(open_model_file((split.folder / "whole.knot").string()).value()->header_sha256(),
                 model.value()->header_sha256());
    }

    void a_part_is_not_overwritten() {
        const SplitModel split;
        const auto model = open_model_file(split.path(0)).value();
        for (const int part : {0, 2})
            QVERIFY(convert_model(*model, split.path(part)).message().find("cannot convert") == 0);
        QVERIFY(named_as_gguf_part("a/x-00001-of-00012.gguf"));
        QVERIFY(!named_as_gguf_part("x-00001-of-0012.gguf"));
        QVERIFY(!named_as_gguf_part("of-00012.gguf"));
    }

    void the_first_part_may_hold_no_tensors() {
        const SplitModel split;
        split.write(0, first_part(3, 5, {}));
        split.write(1, later_part(1, {0, 1, 2}));
        QCOMPARE(split.error(), std::string("no error"));
    }

    void parts_have_their_own_alignment() {
        const SplitModel split;
        GgufBytes file;
        add_split(file.header(1, 4).key("general.alignment", GgufBytes::U32, std::uint32_t{128}), 1, 3, 5)
            .tensor("t2", {1, rows}, 0, 0)
            .pad(128)
            .put(2.0f)
            .put(2.5f);
        split.write(1, file.bytes());
        QCOMPARE(split.error(), std::string("no error"));
    }

    void a_merged_file_keeps_its_identity() {
        GgufBytes file;
        add_split(add_metadata(file.header(5, 6)), 0, 0, 5);
        add_tensors(file, {0, 1, 2, 3, 4});
        const auto merged = test::read_from_memory(read_gguf, file.bytes());
        QVERIFY2(merged.ok(), merged.message().c_str());
        QCOMPARE(merged.value()->header_sha256(),
                 test::read_from_memory(read_gguf, whole_model()).value()->header_sha256());
    }

    void parts_that_do_not_fit_are_named_data() {
        QTest::addColumn<Damage>("damage");
        QTest::addColumn<QString>("expected");
        const auto add = [](const char* name, Damage damage, const char* expected) {
            QTest::newRow(name) << damage << expected;
        };
        add(
            "missing", [](auto& split) { std::filesystem::remove(split.path(1)); },
            "part 2 is missing: put ");
        add(
            "renamed", [](auto& split) { std::filesystem::rename(split.path(2), split.path(1)); },
            "-00002-of-00003.gguf: by its keys it is part 3 of 3, by its name part 2 of 3");
        add(
            "another count", [](auto& split) { split.write(1, later_part(1, {2}, 4)); }, "part 2 of 4");
        add(
            "another total", [](auto& split) { split.write(1, later_part(1, {2}, 3, 6)); },
            "-00002-of-00003.gguf: its key split.tensors.count differs");
        add(
            "too few tensors", [](auto& split) { split.write(2, later_part(2, {4})); },
            "have 4 tensors, split.tensors.count says 5");
        add(
            "tensor twice",
            [](auto& split) {
                split.write(2, later_part(2, {1, 3}));
            },
            "tensor 't1' is in ");
        add(
            "not a part", [](auto& split) { split.write(1, whole_model()); }, "no key split.count");
        add(
            "another model",
            [](auto& split) {
                GgufBytes file;
                add_split(file.header(1, 4).key("general.name", "Other"), 1, 3, 5);
                add_tensors(file, {2});
                split.write(1, file.bytes());
            },
            "-00002-of-00003.gguf: key 'general.name' differs");
        add(
            "truncated",
            [](auto& split) {
                const auto whole = later_part(2, {3, 4});
                split.write(2, whole.substr(0, whole.size() - 32));
            },
            "-00003-of-00003.gguf: tensor 't4' lies outside the file");
        add(
            "empty", [](auto& split) { split.write(2, ""); }, "-00003-of-00003.gguf: not a GGUF file");
        add(
            "negative total", [](auto& split) { split.write(0, first_part(3, -5)); },
            "'split.tensors.count' is not a count");
    }
    void parts_that_do_not_fit_are_named() {
        QFETCH(Damage, damage);
        QFETCH(QString, expected);
        const SplitModel split;
        damage(split);
        const auto message = split.error();
        QVERIFY2(QString::fromStdString(message).contains(expected), message.c_str());
    }

    void lying_numbers_are_refused() {
        const SplitModel split;
        split.write(0, later_part(7, {0}));
        QVERIFY(split.error().find("part 8 of 3 of a model; it is damaged") != std::string::npos);
        GgufBytes huge;
        huge.header(0, 3)
            .key("split.no", GgufBytes::U64, ~std::uint64_t{0})
            .key("split.count", GgufBytes::U64, ~std::uint64_t{0})
            .key("split.tensors.count", GgufBytes::U64, ~std::uint64_t{0});
        split.write(0, huge.bytes());
        QVERIFY(split.error().find("it is damaged") != std::string::npos);
        GgufBytes text;
        split.write(0, text.header(0, 1).key("split.count", "three").bytes());
        QVERIFY(split.error().find("'split.count' is not a count") != std::string::npos);
        GgufBytes alone;
        split.write(0, alone.header(0, 1).key("split.count", GgufBytes::U16, std::uint16_t{3}).bytes());
        QVERIFY(split.error().find("'split.no' is missing") != std::string::npos);
    }

    void a_part_under_another_name_says_how_it_must_be_called() {
        const SplitModel split;
        std::filesystem::rename(split.path(1), split.folder / "second.gguf");
        const auto message = open_model_file((split.folder / "second.gguf").string()).message();
        QVERIFY2(message.find("part 2 of 3") != std::string::npos, message.c_str());
        QVERIFY2(message.find("must end in -00002-of-00003.gguf") != std::string::npos, message.c_str());
    }

    void a_part_without_a_path_is_no_model() {
        QVERIFY(test::read_from_memory(read_gguf, first_part()).message().find("part 1 of 3") !=
                std::string::npos);
    }

    void the_model_outlives_the_names_of_its_parts() {
        const SplitModel split;
        const auto model = open_model_file(split.path(0)).value();
        for (int part = 0; part < 3; ++part) std::filesystem::remove(split.path(part));
        float values[rows];
        tensor::decode_rows(*model->find("t3"), 0, rows, values);
        QCOMPARE(values[1], 3.5f);
    }
};

QTEST_APPLESS_MAIN(TestGgufSplit)
#include "tst_gguf_split.moc"
