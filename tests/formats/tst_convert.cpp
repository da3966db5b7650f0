// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/formats/convert.h"
#include "core/formats/gguf.h"
#include "core/formats/knot.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

using namespace permafrost;
using namespace permafrost::formats;

namespace {

ModelFilePtr open(const std::filesystem::path& path) {
    auto model = open_model_file(path.string());
    return model.ok() ? model.value() : nullptr;
}

std::filesystem::path mixed_model(const test::TemporaryFolder& folder) {
    test::TinyLlama options;
    options.hidden = 256;
    options.ffn = 256;
    options.output_matrix = true;
    options.rotary_factors = true;
    options.embedding_type = tensor::ElementType::Q5_K;
    options.attention_type = tensor::ElementType::F16;
    options.ffn_type = tensor::ElementType::Q4_1;
    options.down_type = tensor::ElementType::BF16;
    return test::write_tiny_llama(folder.path(), options);
}

} // namespace

class TestConvert : public QObject {
    Q_OBJECT

  private slots:
    void gguf_to_knot_and_back_is_the_same_file() {
        const test::TemporaryFolder folder;
        const auto path = mixed_model(folder);
        QVERIFY(convert_model(*open(path), folder / "a.knot").ok());
        QVERIFY(convert_model(*open(folder / "a.knot"), folder / "b.gguf").ok());
        QVERIFY(read_text_file(path).value() == read_text_file(folder / "b.gguf").value());
    }

    void a_knot_has_the_same_tensors_and_identity() {
        const test::TemporaryFolder folder;
        const auto gguf = open(mixed_model(folder));
        QVERIFY(convert_model(*gguf, folder / "a.KNOT").ok());
        const auto knot = open(folder / "a.KNOT");
        QVERIFY(knot);
        QCOMPARE(knot->format(), FileFormat::Knot);
        QCOMPARE(knot->header_sha256(), gguf->header_sha256());
        QCOMPARE(knot->tensors().size(), gguf->tensors().size());
        for (const auto& view : gguf->tensors()) {
            const auto* copy = knot->find(view.name);
            QVERIFY(copy);
            QCOMPARE(copy->shape, view.shape);
            QVERIFY(copy->type == view.type);
            QVERIFY(text_of(copy->bytes) == text_of(view.bytes));
        }
    }

    void identity_ignores_order_alignment_and_our_own_keys() {
        Metadata one, other;
        one.set("a", make_value(1u));
        one.set("b", make_value("x"));
        other.set("general.alignment", make_value(64u));
        other.set("b", make_value("x"));
        other.set("permafrost.masks", make_value("…"));
        other.set("a", make_value(1u));
        QCOMPARE(header_identity(one, {}), header_identity(other, {}));
    }

    void identity_sees_keys_types_values_and_tensors() {
        Metadata base;
        base.set("a", make_value(1u));
        const auto with = [](Value value) {
            Metadata metadata;
            metadata.set("a", std::move(value));
            return header_identity(metadata, {});
        };
        QVERIFY(with(make_value(1u)) == header_identity(base, {}));
        QVERIFY(with(make_value(2u)) != header_identity(base, {}));
        QVERIFY(with(make_value(std::uint64_t{1})) != header_identity(base, {}));
        const tensor::TensorView wide{"t", tensor::ElementType::F32, {1, 2}, {}};
        const tensor::TensorView tall{"t", tensor::ElementType::F32, {2, 1}, {}};
        QVERIFY(header_identity(base, {wide}) != header_identity(base, {}));
        QVERIFY(header_identity(base, {wide}) != header_identity(base, {tall}));
    }

    void progress_ends_at_the_total() {
        const test::TemporaryFolder folder;
        const auto model = open(mixed_model(folder));
        std::uint64_t bytes = 0;
        for (const auto& view : model->tensors()) bytes += view.bytes.size();
        std::uint64_t last = 0, announced = 0;
        bool rising = true;
        WriteControl control;
        control.progress = [&](std::uint64_t done, std::uint64_t total) {
            rising = rising && done > last;
            last = done;
            announced = total;
        };
        QVERIFY(convert_model(*model, folder / "a.knot", control).ok());
        QVERIFY(rising);
        QCOMPARE(last, bytes);
        QCOMPARE(announced, bytes);
    }

    void a_stop_in_the_middle_leaves_no_file() {
        const test::TemporaryFolder folder;
        const auto model = open(mixed_model(folder));
        std::stop_source source;
        const WriteControl control{source.get_token(), [&](auto, auto) { source.request_stop(); }};
        for (const char* name : {"a.knot", "a.gguf"}) {
            QVERIFY(convert_model(*model, folder / name, control).cancelled());
            QVERIFY(!std::filesystem::exists(folder / name));
        }
    }

    void the_source_is_not_overwritten() {
        const test::TemporaryFolder folder;
        const auto path = mixed_model(folder);
        const auto before = read_text_file(path).value();
        std::filesystem::create_symlink(path, folder / "link.gguf");
        QVERIFY(convert_model(*open(path), path).message().find("same file") != std::string::npos);
        QVERIFY(convert_model(*open(path), folder / "link.gguf").message().find("same file") !=
                std::string::npos);
        QVERIFY(read_text_file(path).value() == before);
    }

    void other_endings_are_refused_with_a_reason() {
        const test::TemporaryFolder folder;
        const auto model = open(mixed_model(folder));
        QVERIFY(convert_model(*model, folder / "a.rknot").message().find("masks") != std::string::npos);
        QVERIFY(convert_model(*model, folder / "a.safetensors").message().find(".gguf or .knot") !=
                std::string::npos);
        QVERIFY(!convert_model(*model, folder / "a").ok());
    }

    void a_file_of_masks_alone_is_no_model_to_convert() {
        const test::TemporaryFolder folder;
        QVERIFY(write_knot(folder / "m.rknot", {}, {}, "{}").ok());
        QVERIFY(convert_model(*open(folder / "m.rknot"), folder / "a.gguf").message().find("no tensors") !=
                std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestConvert)
#include "tst_convert.moc"
