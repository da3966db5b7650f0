// SPDX-License-Identifier: GPL-3.0-or-later
//
// Physical removal: what a smaller model computes is what the masked original computes.
#include "core/exports/removal.h"
#include "core/formats/convert.h"
#include "core/model/model_config.h"
#include "core/profile/run.h"
#include "core/quality/masked_model.h"
#include "core/quality/paired_evaluation.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/naive_llama.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <fstream>
#include <random>

using namespace permafrost;
namespace fs = std::filesystem;

namespace {

const fs::path families = fs::path(PERMAFROST_TEST_DATA) / "model/data/families";
const quality::EvaluationSettings settings{50, 2};

formats::ModelFilePtr open(const fs::path& path) {
    auto file = formats::open_model_file(path.string());
    if (!file.ok()) qFatal("%s", file.message().c_str());
    return file.value();
}

text::Corpus corpus() { return test::random_corpus({50, 31, 50}, 96, 5); }

/// A random quarter of each layer's neurons, a different number in each layer; with values that replace them.
quality::MaskedModel frozen_of(const formats::ModelFile& file, bool folded) {
    const auto config = model::read_model_config(file).value();
    std::mt19937 random(7);
    quality::MaskedModel frozen{"frozen", {}};
    for (std::uint32_t layer = 0; layer < config.layers; ++layer) {
        quality::FrozenLayer own;
        for (std::uint32_t neuron = 0; neuron < config.intermediate[layer]; ++neuron) {
            if (random() % (3 + layer) != 0) continue;
            own.neurons.push_back(neuron);
            if (folded) own.values.push_back(static_cast<float>(random() % 1000) / 1000.0f - 0.3f);
        }
        frozen.layers.push_back(std::move(own));
    }
    return frozen;
}

exports::RemovalSettings exact(exports::Widths widths = exports::Widths::Auto) {
    return {widths, tensor::ElementType::F32, 1};
}

} // namespace

class TestRemoval : public QObject {
    Q_OBJECT

    test::TemporaryFolder folder_;

    // Of what is not checked yet.
    bool nothing_is_left() const {
        for (const auto& entry : fs::directory_iterator(folder_.path()))
            if (entry.path().filename().string().ends_with(".unchecked")) return false;
        return true;
    }

    void same_as_masked(const formats::ModelFilePtr& file, const exports::RemovalPlan& plan,
                        const fs::path& target, double tolerance) {
        const auto check = exports::remove_neurons(file, plan, target, corpus(), settings, 0.01);
        QVERIFY2(check.ok(), check.ok() ? "" : check.message().c_str());
        QVERIFY(std::abs(check->masked_perplexity / check->dense_perplexity - 1) > 1e-4);
        QVERIFY2(std::abs(check->ratio() - 1) < tolerance,
                 qPrintable(QString("%1").arg(check->ratio() - 1, 0, 'g')));
        QVERIFY(nothing_is_left());
        QCOMPARE(model::read_model_config(*open(target)).value().intermediate, plan.widths());
    }

  private slots:
    void every_family_shrinks_data() {
        QTest::addColumn<bool>("folded");
        QTest::addColumn<QString>("architecture");
        QTest::newRow("llama") << false << "deci";
        QTest::newRow("llama-biases") << true << "deci";
        QTest::newRow("llama-3.1") << true << "deci";
        QTest::newRow("deci") << true << "deci";
        QTest::newRow("qwen2") << true << "deci";
        QTest::newRow("mistral-window") << true << "llama";
        for (const char* name : {"phi3-short", "phi3-long", "phi3-partial"})
            QTest::newRow(name) << false << "phi3";
        for (const char* name : {"qwen3", "gemma", "gemma2", "gemma3"}) QTest::newRow(name) << false << name;
    }
    void every_family_shrinks() {
        QFETCH(bool, folded);
        QFETCH(QString, architecture);
        const std::string name = QTest::currentDataTag();
        const auto file = open(families / (name + ".gguf"));
        const auto frozen = frozen_of(*file, folded);
        const auto plan = exports::plan_removal(*file, frozen, exact());
        QVERIFY2(plan.ok(), plan.ok() ? "" : plan.message().c_str());
        QCOMPARE(QString::fromStdString(plan->architecture), architecture);
        if (architecture == "deci") QCOMPARE(plan->removed_neurons(), plan->frozen);
        const auto outline = exports::outline_removal(*file, frozen, exact());
        QCOMPARE(outline->widths, plan->widths());
        same_as_masked(file, plan.value(), folder_ / (name + ".gguf"), 2e-5);
    }

    void a_folder_of_safetensors_gets_one_width_data() {
        QTest::addColumn<bool>("folded");
        QTest::newRow("llama") << true;
        QTest::newRow("llama-biases") << true;
        for (const char* name : {"qwen2", "qwen3", "phi3-short", "gemma2", "gemma3"})
            QTest::newRow(name) << false;
    }
    void a_folder_of_safetensors_gets_one_width() {
        QFETCH(bool, folded);
        const std::string name = QTest::currentDataTag();
        const auto file = open(families / name);
        const auto plan = exports::plan_removal(*file, frozen_of(*file, folded), exact());
        QVERIFY2(plan.ok(), plan.ok() ? "" : plan.message().c_str());
        same_as_masked(file, plan.value(), folder_ / ("small-" + name), 2e-5);
        // Its GGUF is the same model.
        const auto small = open(folder_ / ("small-" + name));
        QVERIFY(formats::convert_model(*small, folder_ / "converted.gguf").ok());
        QCOMPARE(open(folder_ / "converted.gguf")->header_sha256(), small->header_sha256());
    }

    void quantised_rows_are_copied_and_widths_are_whole_blocks() {
        test::TinyLlama options;
        options.ffn = 256;
        options.hidden = 64;
        options.ffn_type = tensor::ElementType::Q4_1;
        options.down_type = tensor::ElementType::Q4_1;
        const auto file = open(test::write_tiny_llama(folder_ / "", options));
        const auto frozen = frozen_of(*file, true);
        const auto plan = exports::plan_removal(*file, frozen, {});
        QVERIFY(plan.ok());
        const auto target = folder_ / "blocks.gguf";
        const exports::RemovalObserver watching;
        QVERIFY(exports::write_smaller_model(*file, plan.value(), target).ok());
        const auto small = open(target);
        std::uint64_t bytes = 0;
        for (const auto& view : small->tensors())
            if (!view.name.ends_with("ffn_down.bias")) bytes += view.bytes.size();
        QCOMPARE(exports::outline_removal(*file, frozen, {})->weight_bytes, bytes);
        for (std::uint32_t layer = 0; layer < 2; ++layer) {
            const auto prefix = "blk." + std::to_string(layer) + ".";
            const auto& kept = plan->layers[layer].kept;
            QCOMPARE(kept.size() % 32, 0u);
            const auto removed = 256 - kept.size();
            QVERIFY(removed <= frozen.layers[layer].neurons.size() &&
                    removed + 32 > frozen.layers[layer].neurons.size());
            for (const char* matrix : {"ffn_gate.weight", "ffn_up.weight"}) {
                const auto *before = file->find(prefix + matrix), *after = small->find(prefix + matrix);
                for (std::size_t i = 0; i < kept.size(); ++i)
                    QVERIFY(std::ranges::equal(after->row(i), before->row(kept[i])));
            }
            QCOMPARE(small->find(prefix + "ffn_down.weight")->type, tensor::ElementType::Q8_0);
            QVERIFY(small->find(prefix + "ffn_down.bias"));
        }
    }

    void nothing_frozen_is_the_same_model() {
        const auto file = open(families / "llama.gguf");
        const auto config = model::read_model_config(*file).value();
        const quality::MaskedModel none{"none", std::vector<quality::FrozenLayer>(config.layers)};
        const auto plan = exports::plan_removal(*file, none, {exports::Widths::PerLayer, {}, 32});
        QVERIFY(plan.ok());
        QCOMPARE(plan->architecture, "deci");
        const auto check =
            exports::remove_neurons(file, plan.value(), folder_ / "same.gguf", corpus(), settings, 0);
        QVERIFY2(check.ok(), check.ok() ? "" : check.message().c_str());
        QCOMPARE(check->smaller_perplexity, check->dense_perplexity);
    }

    void what_cannot_be_is_said() {
        const auto gemma = open(families / "gemma3.gguf");
        const auto says = [](const auto& result, const char* what) {
            return !result.ok() && result.message().find(what) != std::string::npos;
        };
        QVERIFY(
            says(exports::plan_removal(*gemma, frozen_of(*gemma, true), exact()), "means cannot be kept"));
        QVERIFY(
            says(exports::plan_removal(*gemma, frozen_of(*gemma, false), exact(exports::Widths::PerLayer)),
                 "normalises queries"));
        const auto llama = open(families / "llama.gguf");
        const auto frozen = frozen_of(*llama, false);
        QVERIFY(
            says(exports::plan_removal(*llama, frozen, {exports::Widths::Auto, tensor::ElementType::Q8_0, 5}),
                 "multiple of 32"));
        QVERIFY(says(
            exports::plan_removal(*llama, frozen, {exports::Widths::Auto, tensor::ElementType::Q6_K, 256}),
            "not written as Q6_K"));
        QVERIFY(says(exports::plan_removal(*llama, {"short", {}}, exact()), "another model"));
        const auto plan = exports::plan_removal(*llama, frozen, exact()).value();
        QVERIFY(says(exports::remove_neurons(llama, plan, families / "llama.gguf", corpus(), settings, 1),
                     "itself"));
        QVERIFY(
            says(exports::remove_neurons(llama, plan, folder_ / "out.knot", corpus(), settings, 1), ".gguf"));
        QVERIFY(
            says(exports::remove_neurons(llama, plan, folder_ / "missing/out.gguf", corpus(), settings, 1),
                 "missing"));
        const auto hf = open(families / "llama");
        const auto hf_plan = exports::plan_removal(*hf, frozen_of(*hf, false), exact()).value();
        QVERIFY(says(exports::remove_neurons(hf, hf_plan, folder_ / "out.gguf", corpus(), settings, 1),
                     "folder"));
    }

    void a_difference_or_a_stop_leaves_nothing() {
        const auto llama = open(families / "llama.gguf");
        auto plan = exports::plan_removal(*llama, frozen_of(*llama, false), exact()).value();
        const auto target = folder_ / "never.gguf";
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(exports::remove_neurons(llama, plan, target, corpus(), settings, 1, {}, stop.get_token())
                    .cancelled());
        plan.removed = {"other", std::vector<quality::FrozenLayer>(plan.layers.size())};
        const auto check = exports::remove_neurons(llama, plan, target, corpus(), settings, 1e-6);
        QVERIFY(!check.ok() && check.message().find("apart") != std::string::npos);
        QVERIFY(!fs::exists(target) && nothing_is_left());
    }
};

QTEST_APPLESS_MAIN(TestRemoval)
#include "tst_removal.moc"
