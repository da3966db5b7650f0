// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/gguf.h"
#include "core/model/model_config.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/memory_model.h"

#include <QtTest>

#include <functional>
#include <limits>

using namespace permafrost;
using formats::make_value;
using formats::Metadata;
using Tensors = std::vector<tensor::TensorView>;

namespace {

formats::ModelFilePtr tiny(const test::TinyLlama& options = {}) {
    return test::read_from_memory(formats::read_gguf, test::tiny_llama_bytes(options)).value();
}

/// The model with other keys or another tensor table; tensors' bytes stay those of `from`, which must live
/// on.
Result<model::ModelConfig> config_after(const formats::ModelFilePtr& from,
                                        const std::function<void(Metadata&, Tensors&)>& change) {
    Metadata metadata = from->metadata();
    Tensors tensors = from->tensors();
    change(metadata, tensors);
    return model::read_model_config(
        formats::ModelFile(formats::FileFormat::Gguf, "folder/broken.gguf", metadata, tensors, "", nullptr));
}

tensor::TensorView& named(Tensors& tensors, const std::string& name) {
    for (auto& view : tensors)
        if (view.name == name) return view;
    return tensors.at(tensors.size()); // throws
}

void remove(Tensors& tensors, const std::string& name) {
    std::erase_if(tensors, [&](const auto& view) { return view.name == name; });
}

struct Broken {
    const char* title;
    std::vector<const char*> message; ///< each must be in it
    std::function<void(Metadata&, Tensors&)> change;
};

const std::vector<Broken>& broken_models() {
    static const std::vector<Broken> list{
        {"no architecture",
         {"general.architecture"},
         [](auto& keys, auto&) { keys.remove("general.architecture"); }},
        {"unknown architecture",
         {"\"mamba\"", "supported: ", "llama"},
         [](auto& keys, auto&) { keys.set("general.architecture", make_value("mamba")); }},
        {"architecture that is no text",
         {"general.architecture"},
         [](auto& keys, auto&) { keys.set("general.architecture", make_value(std::uint32_t{7})); }},
        {"no layer count",
         {"llama.block_count"},
         [](auto& keys, auto&) { keys.remove("llama.block_count"); }},
        {"no layers",
         {"llama.block_count", "0"},
         [](auto& keys, auto&) { keys.set("llama.block_count", make_value(std::uint32_t{0})); }},
        {"more layers than tensors",
         {"blk.2.attn_norm.weight"},
         [](auto& keys, auto&) { keys.set("llama.block_count", make_value(std::uint32_t{3})); }},
        {"absurd layer count",
         {"llama.block_count", "4000000000"},
         [](auto& keys, auto&) { keys.set("llama.block_count", make_value(std::uint32_t{4000000000u})); }},
        {"layer count as text",
         {"llama.block_count"},
         [](auto& keys, auto&) { keys.set("llama.block_count", make_value("two")); }},
        {"no hidden size",
         {"llama.embedding_length"},
         [](auto& keys, auto&) { keys.remove("llama.embedding_length"); }},
        {"huge hidden size",
         {"llama.embedding_length"},
         [](auto& keys, auto&) {
             keys.set("llama.embedding_length", make_value(std::numeric_limits<std::uint64_t>::max()));
         }},
        {"another hidden size",
         {"attn_norm.weight", "[64]", "[128]"},
         [](auto& keys, auto&) { keys.set("llama.embedding_length", make_value(std::uint32_t{128})); }},
        {"no FFN width",
         {"llama.feed_forward_length"},
         [](auto& keys, auto&) { keys.remove("llama.feed_forward_length"); }},
        {"one FFN width too many",
         {"llama.feed_forward_length"},
         [](auto& keys, auto&) {
             keys.set("llama.feed_forward_length", make_value(std::vector<std::uint32_t>{96, 96, 96}));
         }},
        {"FFN of no neurons",
         {"llama.feed_forward_length"},
         [](auto& keys, auto&) {
             keys.set("llama.feed_forward_length", make_value(std::vector<std::uint32_t>{96, 0}));
         }},
        {"FFN width that is no number",
         {"llama.feed_forward_length"},
         [](auto& keys, auto&) {
             keys.set("llama.feed_forward_length", make_value(std::vector<float>{96, std::nanf("")}));
         }},
        {"no heads",
         {"llama.attention.head_count", "0"},
         [](auto& keys, auto&) { keys.set("llama.attention.head_count", make_value(std::uint32_t{0})); }},
        {"key-value heads that do not divide the heads",
         {"3", "key-value"},
         [](auto& keys, auto&) { keys.set("llama.attention.head_count_kv", make_value(std::uint32_t{3})); }},
        {"more key-value heads than heads",
         {"key-value"},
         [](auto& keys, auto&) { keys.set("llama.attention.head_count_kv", make_value(std::uint32_t{8})); }},
        {"odd rotary size",
         {"rope.dimension_count", "15"},
         [](auto& keys, auto&) { keys.set("llama.rope.dimension_count", make_value(std::uint32_t{15})); }},
        {"rotary size beyond a head",
         {"rope.dimension_count", "18"},
         [](auto& keys, auto&) { keys.set("llama.rope.dimension_count", make_value(std::uint32_t{18})); }},
        {"rotary base of zero",
         {"rope.freq_base"},
         [](auto& keys, auto&) { keys.set("llama.rope.freq_base", make_value(0.0f)); }},
        {"rotary base that is no number",
         {"rope.freq_base"},
         [](auto& keys, auto&) { keys.set("llama.rope.freq_base", make_value(std::nanf(""))); }},
        {"no epsilon",
         {"layer_norm_rms_epsilon", "missing"},
         [](auto& keys, auto&) { keys.remove("llama.attention.layer_norm_rms_epsilon"); }},
        {"negative epsilon",
         {"layer_norm_rms_epsilon"},
         [](auto& keys, auto&) { keys.set("llama.attention.layer_norm_rms_epsilon", make_value(-1.0f)); }},
        {"unknown rope scaling",
         {"\"yarn\"", "linear"},
         [](auto& keys, auto&) { keys.set("llama.rope.scaling.type", make_value("yarn")); }},
        {"values of another size than keys",
         {"keys and values"},
         [](auto& keys, auto&) { keys.set("llama.attention.value_length", make_value(std::uint32_t{8})); }},
        {"experts",
         {"mixture-of-experts"},
         [](auto& keys, auto&) { keys.set("llama.expert_count", make_value(std::uint32_t{8})); }},
        {"no embedding",
         {"token_embd.weight"},
         [](auto&, auto& tensors) { remove(tensors, "token_embd.weight"); }},
        {"no final norm",
         {"output_norm.weight"},
         [](auto&, auto& tensors) { remove(tensors, "output_norm.weight"); }},
        {"a missing tensor",
         {"blk.1.ffn_up.weight", "missing"},
         [](auto&, auto& tensors) { remove(tensors, "blk.1.ffn_up.weight"); }},
        {"a wrong shape",
         {"blk.0.attn_k.weight", "[64, 64]", "[32, 64]"},
         [](auto&, auto& tensors) {
             named(tensors, "blk.0.attn_k.weight").shape = {64, 64};
         }},
        {"a swapped shape",
         {"blk.1.ffn_down.weight", "[96, 64]", "[64, 96]"},
         [](auto&, auto& tensors) {
             named(tensors, "blk.1.ffn_down.weight").shape = {96, 64};
         }},
        {"several missing tensors",
         {"missing tensors: ", "output_norm.weight", "blk.{0-1}.attn_norm.weight", "blk.1.ffn_up.weight"},
         [](auto&, auto& tensors) {
             for (const char* name : {"output_norm.weight", "blk.0.attn_norm.weight",
                                      "blk.1.attn_norm.weight", "blk.1.ffn_up.weight"})
                 remove(tensors, name);
         }},
        {"missing tensors and wrong shapes",
         {"missing tensors: blk.1.ffn_up.weight", "blk.0.attn_k.weight has the shape [64, 64]"},
         [](auto&, auto& tensors) {
             remove(tensors, "blk.1.ffn_up.weight");
             named(tensors, "blk.0.attn_k.weight").shape = {64, 64};
         }},
        {"a tensor that the family does not have",
         {"blk.0.attn_q_norm.weight", "not supported for architecture llama"},
         [](auto&, auto& tensors) {
             auto norm = named(tensors, "output_norm.weight");
             norm.name = "blk.0.attn_q_norm.weight";
             tensors.push_back(norm);
         }},
        {"a bias of another size",
         {"blk.0.attn_k.bias", "[64]", "[32]"},
         [](auto&, auto& tensors) {
             auto bias = named(tensors, "output_norm.weight");
             bias.name = "blk.0.attn_k.bias";
             tensors.push_back(bias);
         }},
        {"a family without gates",
         {"\"gpt2\"", "no gate", "supported: "},
         [](auto& keys, auto&) { keys.set("general.architecture", make_value("gpt2")); }},
        {"a family of experts",
         {"\"qwen3moe\"", "mixture of experts"},
         [](auto& keys, auto&) { keys.set("general.architecture", make_value("qwen3moe")); }},
        {"a window that is no number",
         {"llama.attention.sliding_window"},
         [](auto& keys, auto&) { keys.set("llama.attention.sliding_window", make_value("wide")); }},
        {"a window pattern of another length",
         {"sliding_window_pattern", "one value a layer"},
         [](auto& keys, auto&) {
             keys.set("llama.attention.sliding_window", make_value(std::uint32_t{8}));
             keys.set("llama.attention.sliding_window_pattern", make_value(std::vector<std::uint32_t>{1, 0, 1}));
         }},
        {"rotary factors of another count",
         {"rope_freqs.weight", "64", "8"},
         [](auto&, auto& tensors) {
             auto factors = named(tensors, "output_norm.weight");
             factors.name = "rope_freqs.weight";
             tensors.push_back(factors);
         }},
        {"an embedding of one dimension",
         {"token_embd.weight"},
         [](auto&, auto& tensors) { named(tensors, "token_embd.weight").shape = {64}; }},
        {"an empty vocabulary", {"vocabulary"}, [](auto&, auto& tensors) {
             named(tensors, "token_embd.weight").shape = {0, 64};
         }}};
    return list;
}

} // namespace

class TestModelConfig : public QObject {
    Q_OBJECT

  private slots:
    void reads_a_model() {
        test::TinyLlama options;
        options.rotary_factors = true;
        options.ffn_by_layer = {96, 33};
        const auto config = model::read_model_config(*tiny(options));
        QVERIFY2(config.ok(), config.message().c_str());
        QCOMPARE(config->architecture, "llama");
        QCOMPARE(config->name, "Tiny Llama");
        QCOMPARE(config->layers, 2u);
        QCOMPARE(config->hidden, 64u);
        QCOMPARE(config->intermediate, (std::vector<std::uint32_t>{96, 33}));
        QCOMPARE(config->widest_layer(), 96u);
        QCOMPARE(config->attention[0].heads, 4u);
        QCOMPARE(config->attention[1].kv_heads, 2u);
        QCOMPARE(config->head_size, 16u);
        QCOMPARE(config->rotary.size, 16u);
        QCOMPARE(config->family->rotary_pairs, model::RotaryPairs::Interleaved);
        QCOMPARE(config->rotary.base, 10000.0);
        QCOMPARE(config->rotary.factors.size(), std::size_t{8});
        QCOMPARE(config->norm_epsilon, 1e-5f);
        QCOMPARE(config->vocabulary, 320u);
        QCOMPARE(config->context_length, 256u);
        QVERIFY(config->tied_output);
    }

    void weighs_what_one_token_reads() {
        constexpr std::uint64_t attention = 2 * 64 * 64 + 2 * 32 * 64, ffn = 3 * 96 * 64, norms = 2 * 64;
        test::TinyLlama options;
        const auto tied = model::read_model_config(*tiny(options));
        options.output_matrix = true;
        const auto separate = model::read_model_config(*tiny(options));
        QVERIFY(tied.ok() && separate.ok());
        QVERIFY(!separate->tied_output);
        const std::uint64_t bytes = 4 * (2 * (attention + ffn + norms) + 64 + 320 * 64);
        QCOMPARE(tied->weight_bytes, bytes);
        QCOMPARE(separate->weight_bytes, bytes);
        QCOMPARE(tied->ffn_weight_bytes, 4 * 2 * ffn);
    }

    void fills_in_what_files_may_leave_out() {
        test::TinyLlama options;
        options.kv_heads = 4;
        const auto file = tiny(options);
        const auto config = config_after(file, [](Metadata& keys, Tensors&) {
            for (const char* key :
                 {"general.name", "llama.attention.head_count_kv", "llama.rope.dimension_count",
                  "llama.rope.freq_base"})
                keys.remove(key);
        });
        QVERIFY2(config.ok(), config.message().c_str());
        QCOMPARE(config->name, "broken");
        QCOMPARE(config->attention[1].kv_heads, 4u);
        QCOMPARE(config->rotary.size, 16u);
        QCOMPARE(config->rotary.base, 10000.0);
    }

    void linear_rope_scaling_divides_positions() {
        const auto config = config_after(tiny(), [](Metadata& keys, Tensors&) {
            keys.set("llama.rope.scaling.type", make_value("linear"));
            keys.set("llama.rope.scaling.factor", make_value(4.0f));
        });
        QVERIFY2(config.ok(), config.message().c_str());
        QCOMPARE(config->rotary.scale, 4.0);
    }

    void a_window_holds_in_all_layers_or_in_those_listed() {
        const auto windows = [](const std::function<void(Metadata&)>& change) {
            const auto config = config_after(tiny(), [&](Metadata& keys, Tensors&) {
                keys.set("llama.attention.sliding_window", make_value(std::uint32_t{8}));
                change(keys);
            });
            std::vector<std::uint32_t> result;
            if (config.ok())
                for (const auto& layer : config->attention) result.push_back(layer.window);
            return result;
        };
        const std::string pattern = "llama.attention.sliding_window_pattern";
        QCOMPARE(windows([](Metadata&) {}), (std::vector<std::uint32_t>{8, 8}));
        QCOMPARE(windows([&](Metadata& keys) { keys.set(pattern, make_value(std::uint32_t{2})); }),
                 (std::vector<std::uint32_t>{8, 0}));
        QCOMPARE(windows([&](Metadata& keys) {
                     keys.set(pattern, make_value(std::vector<std::uint32_t>{0, 1}));
                 }),
                 (std::vector<std::uint32_t>{0, 8}));
    }

    void refuses_what_it_cannot_run_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < broken_models().size(); ++i)
            QTest::newRow(broken_models()[i].title) << static_cast<int>(i);
    }
    void refuses_what_it_cannot_run() {
        QFETCH(int, index);
        const auto& broken = broken_models()[static_cast<std::size_t>(index)];
        const auto file = tiny();
        const auto config = config_after(file, broken.change);
        QVERIFY(!config.ok() && !config.cancelled());
        const auto message = config.message();
        QVERIFY2(message.find("folder/broken.gguf") != std::string::npos, message.c_str());
        for (const char* part : broken.message)
            QVERIFY2(message.find(part) != std::string::npos, message.c_str());
    }

    void reads_the_tokenizer_of_the_file() {
        test::TinyLlama options;
        options.add_bos = true;
        const auto tokenizer = model::read_tokenizer(*tiny(options));
        QVERIFY2(tokenizer.ok(), tokenizer.message().c_str());
        QCOMPARE(tokenizer.value()->vocabulary_size(), std::size_t{320});
        QCOMPARE(tokenizer.value()->bos(), test::tiny_llama_end_of_text);
        QVERIFY(tokenizer.value()->adds_bos());
        QCOMPARE(tokenizer.value()->encode("A"), std::vector<text::TokenId>{'A'});
    }
    void a_file_without_a_tokenizer_says_so() {
        const auto from = tiny();
        Metadata keys = from->metadata();
        keys.remove("tokenizer.ggml.tokens");
        const auto tokenizer = model::read_tokenizer(
            formats::ModelFile(formats::FileFormat::Gguf, "no.gguf", keys, from->tensors(), "", nullptr));
        QVERIFY(!tokenizer.ok());
        QVERIFY2(tokenizer.message().find("no.gguf carries no tokenizer") != std::string::npos,
                 tokenizer.message().c_str());
    }
};

QTEST_APPLESS_MAIN(TestModelConfig)
#include "tst_model_config.moc"
