// SPDX-License-Identifier: GPL-3.0-or-later
//
// Masks in safetensors and in a file beside a model. GGUF and .rknot: tests/app/tst_commands.cpp.
#include "core/base/atomic_file.h"
#include "core/base/mapped_file.h"
#include "core/exports/embed_masks.h"
#include "core/formats/safetensors.h"
#include "core/masks/mask_files.h"
#include "core/masks/mask_sidecar.h"
#include "core/model/model_config.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <random>

using namespace permafrost;
namespace fs = std::filesystem;

namespace {

const fs::path model_folder = fs::path(PERMAFROST_TEST_DATA) / "model/data/families/llama";

masks::SaturationMaps maps_for(const formats::ModelFile& model) {
    const auto config = model::read_model_config(model).value();
    std::mt19937 random(1);
    masks::SaturationMaps maps;
    maps.model_name = "a \"model\"";
    maps.method = "variance+gradient";
    maps.date = "2026-05-17T14:32:45Z";
    for (std::uint32_t layer = 0; layer < config.layers; ++layer) {
        masks::Bitmask mask(config.intermediate[layer]);
        for (std::size_t i = 0; i < mask.size(); ++i) mask.set(i, random() % 4 == 0);
        maps.layers.emplace(layer, mask);
        if (layer != 0) maps.cliff_scores[layer] = 0.1 + layer / 64.0;
    }
    return maps;
}

formats::SafetensorsContents contents_of(const MappedFile& file) {
    return formats::parse_safetensors(file.bytes(), "here").value();
}

} // namespace

class TestEmbedMasks : public QObject {
    Q_OBJECT

    test::TemporaryFolder folder_;
    formats::ModelFilePtr model_;
    masks::SaturationMaps maps_;

    void same_maps(const Result<masks::SaturationMaps>& found) {
        QVERIFY2(found.ok(), found.ok() ? "" : found.message().c_str());
        QCOMPARE(found->layers, maps_.layers);
        QCOMPARE(found->model_name, maps_.model_name);
        QCOMPARE(found->method, maps_.method);
        QCOMPARE(found->date, maps_.date);
        QCOMPARE(found->cliff_scores, maps_.cliff_scores);
    }

  private slots:
    void initTestCase() {
        fs::copy(model_folder, folder_ / "model");
        auto model = formats::open_model_file((folder_ / "model").string());
        QVERIFY2(model.ok(), model.ok() ? "" : model.message().c_str());
        model_ = model.value();
        maps_ = maps_for(*model_);
    }

    void safetensors_keep_every_byte_of_their_tensors() {
        const auto target = folder_ / "masked.safetensors";
        const auto written = exports::embed_masks(*model_, maps_, target);
        QVERIFY2(written.ok(), written.ok() ? "" : written.message().c_str());
        same_maps(masks::read_saturation_maps(target));
        const auto before = MappedFile::open(folder_ / "model/model.safetensors").value();
        const auto after = MappedFile::open(target).value();
        const auto original = contents_of(*before), copy = contents_of(*after);
        QCOMPARE(copy.tensors.size(), original.tensors.size());
        for (std::size_t i = 0; i < copy.tensors.size(); ++i) {
            QCOMPARE(copy.tensors[i].name, original.tensors[i].name);
            QCOMPARE(copy.tensors[i].type, original.tensors[i].type);
            QCOMPARE(copy.tensors[i].shape, original.tensors[i].shape);
            QVERIFY(std::equal(copy.tensors[i].bytes.begin(), copy.tensors[i].bytes.end(),
                               original.tensors[i].bytes.begin(), original.tensors[i].bytes.end()));
        }
        for (const auto& [key, text] : original.metadata) QCOMPARE(copy.metadata.at(key), text);
    }

    void a_model_with_masks_gets_the_new_ones_and_stays_the_same_model() {
        fs::copy(model_folder, folder_ / "masked");
        fs::remove(folder_ / "masked/model.safetensors");
        QVERIFY(exports::embed_masks(*model_, maps_, folder_ / "masked/model.safetensors").ok());
        same_maps(masks::read_saturation_maps(folder_ / "masked"));
        const auto masked = formats::open_model_file((folder_ / "masked").string());
        QVERIFY2(masked.ok(), masked.ok() ? "" : masked.message().c_str());
        auto others = maps_;
        others.cliff_scores.clear();
        others.layers.begin()->second.set(1, !others.layers.begin()->second.test(1));
        const auto target = folder_ / "others.safetensors";
        QVERIFY(exports::embed_masks(*masked.value(), others, target).ok());
        const auto found = masks::read_saturation_maps(target);
        QCOMPARE(found->layers, others.layers);
        QVERIFY(found->cliff_scores.empty());
        QVERIFY(!exports::embed_masks(*masked.value(), others, folder_ / "masked/model.safetensors").ok());
    }

    void a_sidecar_serves_a_model_that_stays_as_it_is() {
        QVERIFY(!masks::read_saturation_maps(folder_ / "model").ok());
        QVERIFY(exports::embed_masks(*model_, maps_, folder_ / "model/model.saturation.json").ok());
        for (const char* path : {"model/model.saturation.json", "model/model.safetensors", "model"})
            same_maps(masks::read_saturation_maps(folder_ / path));
        fs::remove(folder_ / "model/model.saturation.json");
    }

    void a_damaged_sidecar_is_refused() {
        const auto text = masks::sidecar_text(maps_);
        same_maps(masks::parse_sidecar(text, "here"));
        const auto changed = [&](const std::string& what, const std::string& into) {
            auto copy = text;
            copy.replace(copy.find(what), what.size(), into);
            return masks::parse_sidecar(copy, "there");
        };
        QVERIFY(changed("\"version\": 1", "\"version\": 2").message().find("newer") != std::string::npos);
        QVERIFY(!changed("permafrost-saturation", "something else").ok());
        QVERIFY(!changed("\"masks\": \"UEZN", "\"masks\": \"UEZO").ok());
        QVERIFY(!changed("\"masks\"", "\"sketch\"").ok());
        for (const char* bad : {"", "{}", "[]", "{\"format\":3}", "{\"a\":1,\"a\":2}"})
            QVERIFY(!masks::parse_sidecar(bad, "there").ok());
        QCOMPARE(masks::sidecar_of("a/model.q4.gguf"), fs::path("a/model.q4.saturation.json"));
    }

    void a_safetensors_whose_masks_are_damaged_is_refused() {
        const auto target = folder_ / "damaged.safetensors";
        for (const char* blob : {"UEZN", "not base64!", "AAAA"}) {
            const auto done = formats::change_safetensors_metadata(
                folder_ / "model/model.safetensors", {{std::string(masks::mask_blob_key), blob}}, target);
            QVERIFY2(done.ok(), done.ok() ? "" : done.message().c_str());
            const auto found = masks::read_saturation_maps(target);
            QVERIFY(!found.ok() && found.message().starts_with(target.string()));
        }
    }

    void what_cannot_take_masks_says_so() {
        QVERIFY(!exports::embed_masks(*model_, maps_, folder_ / "masked.json").ok());
        const auto demo = formats::open_model_file("demo").value();
        const auto wrong_source = exports::embed_masks(*demo, maps_for(*demo), folder_ / "demo.safetensors");
        QVERIFY(wrong_source.message().find("choose the ending .gguf") != std::string::npos);
        QVERIFY(!exports::embed_masks(*demo, maps_, folder_ / "demo.gguf").ok());
        // Another part of the model is never written over, whatever the model was called by.
        fs::copy(model_folder, folder_ / "named");
        fs::copy(folder_ / "named/model.safetensors", folder_ / "named/other.safetensors");
        for (const char* name : {"named", "named/config.json", "named/model.safetensors"}) {
            const auto named = formats::open_model_file((folder_ / name).string());
            QVERIFY2(named.ok(), named.ok() ? "" : named.message().c_str());
            QVERIFY(!exports::embed_masks(*named.value(), maps_, folder_ / "named/other.safetensors").ok());
            const auto written = exports::embed_masks(*named.value(), maps_, folder_ / "named.safetensors");
            QVERIFY2(written.ok(), written.ok() ? "" : written.message().c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestEmbedMasks)
#include "tst_embed_masks.moc"
