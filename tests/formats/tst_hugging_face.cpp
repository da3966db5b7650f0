// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hugging Face folders that are damaged, contradict themselves or cannot be run. That good ones are read right is tested in
// tst_families.cpp.
#include "core/base/atomic_file.h"
#include "core/formats/hugging_face.h"
#include "core/formats/safetensors.h"
#include "core/model/model_config.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <functional>
#include <random>

using namespace permafrost;
using nlohmann::json;

namespace {

const std::string families = PERMAFROST_TEST_DATA "/model/data/families/";

std::string safetensors(const std::string& header, std::size_t data_bytes) {
    std::string bytes(8, '\0');
    const std::uint64_t length = header.size();
    std::memcpy(bytes.data(), &length, sizeof length);
    return bytes + header + std::string(data_bytes, '\1');
}

json entry(const char* type, std::vector<int> shape, int begin, int end) {
    return {{"dtype", type}, {"shape", std::move(shape)}, {"data_offsets", {begin, end}}};
}

std::string parse_error(const std::string& bytes) {
    return formats::parse_safetensors(bytes_of(bytes), "x.safetensors").message();
}

} // namespace

class TestHuggingFace : public QObject {
    Q_OBJECT

    /// A folder with a copy of a family's files, where a test changes what it likes.
    struct Copy {
        explicit Copy(const std::string& family) {
            for (const auto& file : std::filesystem::directory_iterator(families + family))
                std::filesystem::copy(file, folder.path());
        }
        void change(const char* file, const std::function<void(json&)>& edit) {
            auto content = json::parse(read_text_file(folder / file).value());
            edit(content);
            write(file, content.dump());
        }
        void write(const char* file, const std::string& content) {
            QVERIFY(write_file(folder / file, content).ok());
        }
        /// What opening it says, the model's description included.
        std::string error() const {
            const auto file = formats::open_model_file(folder.path().string());
            return file.ok() ? model::read_model_config(*file.value()).message() : file.message();
        }
        test::TemporaryFolder folder;
    };

    static void says(const std::string& error, const char* words) {
        QVERIFY2(error.find(words) != std::string::npos, error.empty() ? "no error" : error.c_str());
    }

  private slots:
    void configurations_that_cannot_be_run_are_refused_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("change"); // merged into config.json
        QTest::addColumn<QString>("words");
        const auto row = [](const char* family, const char* change, const char* words) {
            QTest::addRow("%s", change) << QString(family) << QString(change) << QString(words);
        };
        row("llama", R"({"architectures": ["MixtralForCausalLM"]})", "mixture of experts");
        row("llama", R"({"architectures": ["Qwen2MoeForCausalLM"]})", "mixture of experts");
        row("llama", R"({"architectures": ["GPT2LMHeadModel"]})", "supported: LlamaForCausalLM, ");
        row("llama", R"({"architectures": []})", "the list architectures is missing");
        row("llama", R"({"architectures": 7})", "the list architectures is missing");
        row("llama", R"({"hidden_act": "gelu"})", "activation function \"gelu\"");
        row("gemma3", R"({"hidden_activation": "gelu"})", "activation function \"gelu\"");
        row("llama", R"({"quantization_config": {"quant_method": "gptq"}})", "quantised by another program");
        row("llama", R"({"rope_parameters": {"rope_type": "yarn", "factor": 4.0}})",
            "rotary scaling \"yarn\"");
        row("llama", R"({"rope_parameters": {"rope_type": "llama3"}})", "factor is missing");
        row("llama", R"({"rope_parameters": {"rope_theta": -1}})", "rope_theta");
        row("llama", R"({"num_hidden_layers": null})", "num_hidden_layers is missing");
        row("llama", R"({"num_hidden_layers": 3})", "missing tensors: blk.2.attn_k.weight, blk.2.");
        row("llama", R"({"num_hidden_layers": 1})", "blk.1.attn_k.weight");
        row("llama", R"({"num_hidden_layers": 4294967297})", "num_hidden_layers");
        row("llama", R"({"hidden_size": 64})", "has the shape [");
        row("llama", R"({"intermediate_size": 47})", "has the shape [48, 32], expected [47, 32]");
        row("llama", R"({"head_dim": 16})", "has the shape");
        row("llama", R"({"head_dim": 7})", "whole heads of 7");
        row("llama", R"({"num_attention_heads": "four"})", "num_attention_heads");
        row("llama", R"({"rms_norm_eps": 0})", "rms_norm_eps");
        row("llama", R"({"attention_bias": true})",
            "attention_bias is true, but the files have no such biases");
        row("llama-biases", R"({"mlp_bias": false})", "mlp_bias is false, but the files have such biases");
        row("qwen3",
            R"({"use_sliding_window": true, "sliding_window": 8, "layer_types": ["full_attention"]})",
            "layer_types has 1 entries for 2 layers");
        row("gemma2", R"({"layer_types": ["full_attention", "chunked_attention", "full_attention"]})",
            "\"chunked_attention\"");
        row("gemma2", R"({"final_logit_softcapping": null})", "final_logit_softcapping is null");
        row("gemma3", R"({"use_bidirectional_attention": true})", "look at those after them");
        row("phi3-long",
            R"({"original_max_position_embeddings": null, "rope_parameters": {"rope_type": "longrope", "short_factor": [1], "long_factor": [1]}})",
            "original_max_position_embeddings");
    }
    void configurations_that_cannot_be_run_are_refused() {
        QFETCH(QString, family);
        QFETCH(QString, change);
        QFETCH(QString, words);
        Copy copy(family.toStdString());
        copy.change("config.json", [&](json& config) { config.update(json::parse(change.toStdString())); });
        says(copy.error(), words.toUtf8().constData());
    }

    void a_folders_name_is_the_models_but_not_its_identity() {
        Copy one("llama"), other("llama");
        for (auto* copy : {&one, &other}) {
            const auto folder = copy->folder / (copy == &one ? "Some-2.5-7B" : "renamed");
            std::filesystem::create_directory(folder);
            for (const char* name : {"config.json", "model.safetensors"})
                std::filesystem::rename(copy->folder / name, folder / name);
        }
        const auto first = formats::open_model_file((one.folder / "Some-2.5-7B").string() + "/");
        const auto second = formats::open_model_file((other.folder / "renamed" / "config.json").string());
        QVERIFY2(first.ok() && second.ok(), (first.message() + second.message()).c_str());
        QCOMPARE(first.value()->header_sha256(), second.value()->header_sha256());
        QCOMPARE(model::read_model_config(*first.value())->name, std::string("Some-2.5-7B"));
        QCOMPARE(model::read_model_config(*second.value())->name, std::string("renamed"));
    }

    void a_tied_copy_of_the_embedding_is_not_read() {
        Copy copy("llama");
        copy.change("config.json", [](json& config) { config["tie_word_embeddings"] = true; });
        const auto file = formats::open_model_file(copy.folder.path().string());
        QVERIFY2(file.ok(), file.message().c_str());
        QVERIFY(file.value()->find("output.weight") == nullptr);
        QVERIFY(model::read_model_config(*file.value())->tied_output);
    }

    void older_keys_say_the_same() {
        Copy copy("gemma3");
        const auto newer = formats::open_model_file(copy.folder.path().string());
        copy.change("config.json", [](json& config) {
            config.erase("rope_parameters");
            config["rope_scaling"] = {{"type", "linear"}, {"factor", 8.0}};
            config["rope_theta"] = 1000000.0;
            config["rope_local_base_freq"] = 10000.0;
            const auto inner = config;
            config = {{"architectures", {"Gemma3ForConditionalGeneration"}}, {"text_config", inner}};
        });
        const auto older = formats::open_model_file(copy.folder.path().string());
        QVERIFY2(older.ok(), older.message().c_str());
        QCOMPARE(older.value()->header_sha256(), newer.value()->header_sha256());
    }

    void all_ways_to_name_a_folder_open_it() {
        Copy copy("qwen3");
        const auto expected = formats::open_model_file(copy.folder.path().string());
        for (const char* name :
             {"config.json", "model.safetensors.index.json", "model-00002-of-00004.safetensors"}) {
            const auto file = formats::open_model_file((copy.folder / name).string());
            QVERIFY2(file.ok(), file.message().c_str());
            QCOMPARE(file.value()->header_sha256(), expected.value()->header_sha256());
        }
        std::filesystem::remove(copy.folder / "config.json");
        says(formats::open_model_file((copy.folder / "model-00002-of-00004.safetensors").string()).message(),
             "put its config.json");
        says(copy.error(), "is a folder without config.json");
    }

    void files_that_do_not_fit_together_are_refused() {
        const char* index = "model.safetensors.index.json";
        Copy outside("qwen3");
        outside.change(index, [](json& content) {
            content["weight_map"]["model.norm.weight"] = "../elsewhere.safetensors";
        });
        says(outside.error(), "no file of this folder");
        outside.change(index, [](json& content) { content["weight_map"]["model.norm.weight"] = 3; });
        says(outside.error(), "no file of this folder");
        Copy missing("qwen3");
        std::filesystem::remove(missing.folder / "model-00001-of-00004.safetensors");
        std::filesystem::remove(missing.folder / "model-00003-of-00004.safetensors");
        says(missing.error(), "model-00001-of-00004.safetensors, model-00003-of-00004.safetensors");
        Copy moved("qwen3");
        moved.change(index, [](json& content) {
            content["weight_map"]["model.norm.weight"] = content["weight_map"]["model.embed_tokens.weight"];
        });
        says(moved.error(), "is not in it");
        Copy lost("qwen3");
        lost.change(index, [](json& content) {
            content["weight_map"]["model.more"] = "model-00001-of-00004.safetensors";
        });
        says(lost.error(), "is not in it");
        Copy unlisted("qwen3");
        std::filesystem::remove(unlisted.folder / index);
        says(unlisted.error(), "4 .safetensors and no model.safetensors.index.json");
        Copy empty("llama");
        std::filesystem::remove(empty.folder / "model.safetensors");
        says(empty.error(), "it has no .safetensors");
        empty.write("pytorch_model.bin", "x");
        says(empty.error(), "can run code");
    }

    void headers_that_lie_are_refused() {
        says(parse_error(""), "safetensors header");
        says(parse_error(std::string(8, '\xff')), "safetensors header");
        says(parse_error(safetensors("{}", 0).substr(0, 9)), "truncated inside its header");
        says(parse_error(safetensors("[]", 0)), "safetensors header");
        says(parse_error(safetensors("{\"a\"", 0)), "not JSON");
        says(parse_error(safetensors(std::string(1000, '['), 0)), "nested too deeply");
        const auto one = [](const json& fields, std::size_t bytes) {
            return parse_error(safetensors(json{{"t", fields}}.dump(), bytes));
        };
        QCOMPARE(one(entry("F32", {2, 2}, 0, 16), 16), std::string());
        says(one(entry("F32", {2, 2}, 0, 16), 17), "bytes after its last tensor");
        says(one(entry("F32", {2, 2}, 0, 16), 15), "outside the file");
        says(one(entry("F32", {2, 3}, 0, 16), 16), "do not fit its shape");
        says(one(entry("F32", {2, 2}, 16, 0), 16), "outside the file");
        says(one(entry("F32", {2, 2}, 4, 20), 20), "overlap or leave gaps");
        says(one({{"dtype", "F32"}, {"shape", {-1}}, {"data_offsets", {0, 4}}}, 4), "has no shape");
        says(one({{"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {0, 4, 8}}}, 4), "has no data_offsets");
        says(one({{"dtype", 1}, {"shape", {1}}, {"data_offsets", {0, 4}}}, 4), "has no dtype");
        says(one(7, 4), "not described by an object");
        says(parse_error(
                 safetensors(json{{"a", entry("F16", {2}, 0, 4)}, {"b", entry("F16", {2}, 2, 6)}}.dump(), 6)),
             "overlap or leave gaps");
        says(
            parse_error(safetensors(
                R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"t":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                2)),
            "'t' appears twice");
    }

    void types_that_cannot_be_decoded_are_named() {
        Copy copy("llama");
        const auto bytes = read_text_file(copy.folder / "model.safetensors").value();
        std::string changed = bytes;
        const auto place = changed.find("F16");
        changed.replace(place, 3, "I16");
        copy.write("model.safetensors", changed);
        says(copy.error(), "has the type I16");
    }

    void damaged_files_never_crash() {
        Copy copy("gemma2");
        const auto weights = read_text_file(copy.folder / "model.safetensors").value();
        const auto config = read_text_file(copy.folder / "config.json").value();
        std::mt19937 random(11);
        const auto damage = [&](std::string content, std::size_t most) {
            const auto limit = std::min(most, content.size());
            for (int i = 0; i < 3; ++i) content[random() % limit] = static_cast<char>(random());
            if (random() % 4 == 0) content.resize(random() % content.size());
            return content;
        };
        for (int i = 0; i < 400; ++i) {
            copy.write("model.safetensors", i % 2 ? damage(weights, 4096) : weights);
            copy.write("config.json", i % 2 ? config : damage(config, config.size()));
            copy.error();
        }
    }
};

QTEST_APPLESS_MAIN(TestHuggingFace)
#include "tst_hugging_face.moc"
