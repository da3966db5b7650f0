// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_config.h"

#include "core/tensor/decode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace permafrost::model {
namespace {

// The architectures whose forward pass is this one. Others join here as they are described.
constexpr std::array<std::string_view, 1> known_architectures{"llama"};
constexpr std::uint32_t most_layers = 4096;
// Pre-tokenizers whose models want a BOS token where the file does not say (llama.cpp, llama-vocab.cpp).
constexpr std::array<std::string_view, 9> adding_bos{
    "llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano"};

std::string list_of_known() {
    std::string list;
    for (const auto name : known_architectures) list += (list.empty() ? "" : ", ") + std::string(name);
    return list;
}

// Reads keys of one file and keeps the first thing that is wrong.
class KeyReader {
  public:
    KeyReader(const formats::ModelFile& file, std::string architecture)
        : file_(file), prefix_(std::move(architecture) + ".") {}

    std::uint32_t count(const std::string& key, std::uint64_t most,
                        std::optional<std::uint32_t> otherwise = {}) {
        const auto value = file_.metadata().unsigned_integer(prefix_ + key);
        if (!value) {
            if (!file_.metadata().find(prefix_ + key) && otherwise) return *otherwise;
            fail("the key " + prefix_ + key + " is missing or not a whole number");
            return 1;
        }
        if (*value == 0 || *value > most) {
            fail(prefix_ + key + " is " + std::to_string(*value) + ", which is not between 1 and " +
                 std::to_string(most));
            return 1;
        }
        return static_cast<std::uint32_t>(*value);
    }
    double number(const std::string& key, double otherwise) {
        if (!file_.metadata().find(prefix_ + key)) return otherwise;
        const auto value = file_.metadata().number(prefix_ + key);
        if (!value || !std::isfinite(*value) || *value <= 0) {
            fail(prefix_ + key + " is not a positive number");
            return otherwise;
        }
        return *value;
    }
    // A scalar for all layers, or one number a layer.
    std::vector<std::uint32_t> per_layer(const std::string& key, std::uint32_t layers, std::uint64_t most) {
        const auto values = file_.metadata().numbers(prefix_ + key);
        std::vector<std::uint32_t> result;
        if (!values || (values->size() != 1 && values->size() != layers)) {
            fail("the key " + prefix_ + key + " is missing or has not one number a layer");
        } else {
            for (const double value : *values) {
                if (!(value >= 1 && value <= static_cast<double>(most)) || value != std::floor(value))
                    fail(prefix_ + key + " holds a number that is not between 1 and " + std::to_string(most));
                else
                    result.push_back(static_cast<std::uint32_t>(value));
            }
        }
        result.resize(layers, result.empty() ? 1 : result.front());
        return result;
    }
    void fail(std::string what) {
        if (error_.empty()) error_ = std::move(what);
    }
    const std::string& error() const { return error_; }

  private:
    const formats::ModelFile& file_;
    std::string prefix_;
    std::string error_;
};

std::string shape_text(const std::vector<std::uint64_t>& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

class TensorChecker {
  public:
    TensorChecker(const formats::ModelFile& file, ModelConfig& config) : file_(file), config_(config) {}

    const tensor::TensorView* require(const std::string& name, std::vector<std::uint64_t> shape) {
        const auto* view = file_.find(name);
        if (!view) {
            fail("the tensor " + name + " is missing");
            return nullptr;
        }
        if (view->shape != shape) {
            fail("the tensor " + name + " has the shape " + shape_text(view->shape) + ", expected " +
                 shape_text(shape));
            return nullptr;
        }
        config_.weight_bytes += view->bytes.size();
        return view;
    }
    void require_ffn(const std::string& name, std::vector<std::uint64_t> shape) {
        if (const auto* view = require(name, std::move(shape)))
            config_.ffn_weight_bytes += view->bytes.size();
    }
    // Tensors that would change the result and that this forward pass does not apply.
    void refuse(const std::string& name) {
        if (file_.find(name))
            fail("the tensor " + name + " is not supported for architecture " + config_.architecture);
    }
    void fail(std::string what) {
        if (error_.empty()) error_ = std::move(what);
    }
    const std::string& error() const { return error_; }

  private:
    const formats::ModelFile& file_;
    ModelConfig& config_;
    std::string error_;
};

std::string check_tensors(const formats::ModelFile& file, ModelConfig& config) {
    TensorChecker check(file, config);
    const std::uint64_t hidden = config.hidden;
    const std::uint64_t query = std::uint64_t{config.heads} * config.head_size;
    const std::uint64_t kv = std::uint64_t{config.kv_heads} * config.head_size;
    for (std::uint32_t layer = 0; layer < config.layers && check.error().empty(); ++layer) {
        const auto prefix = "blk." + std::to_string(layer) + ".";
        const std::uint64_t neurons = config.intermediate[layer];
        check.require(prefix + "attn_norm.weight", {hidden});
        check.require(prefix + "attn_q.weight", {query, hidden});
        check.require(prefix + "attn_k.weight", {kv, hidden});
        check.require(prefix + "attn_v.weight", {kv, hidden});
        check.require(prefix + "attn_output.weight", {hidden, query});
        check.require(prefix + "ffn_norm.weight", {hidden});
        check.require_ffn(prefix + "ffn_gate.weight", {neurons, hidden});
        check.require_ffn(prefix + "ffn_up.weight", {neurons, hidden});
        check.require_ffn(prefix + "ffn_down.weight", {hidden, neurons});
        for (const char* name : {"attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias",
                                 "ffn_gate.bias", "ffn_up.bias", "ffn_down.bias", "ffn_gate_inp.weight"})
            check.refuse(prefix + name);
    }
    check.require("output_norm.weight", {hidden});
    config.tied_output = file.find("output.weight") == nullptr;
    // A tied embedding is read as a whole once a token, as output matrix; a separate one costs one row.
    if (!config.tied_output) check.require("output.weight", {config.vocabulary, hidden});
    const auto before = config.weight_bytes;
    check.require("token_embd.weight", {config.vocabulary, hidden});
    if (!config.tied_output) config.weight_bytes = before;
    return check.error();
}

std::string read_rotary_factors(const formats::ModelFile& file, ModelConfig& config) {
    const auto* view = file.find("rope_freqs.weight");
    if (!view) return {};
    if (view->elements() != config.rotary_size / 2)
        return "the tensor rope_freqs.weight has " + std::to_string(view->elements()) + " values, expected " +
               std::to_string(config.rotary_size / 2);
    config.rotary_factors.resize(view->elements());
    tensor::decode(view->type, view->bytes.data(), config.rotary_factors.data(), view->elements());
    for (const float factor : config.rotary_factors)
        if (!std::isfinite(factor) || factor <= 0)
            return "the tensor rope_freqs.weight holds a value that is not positive";
    return {};
}

std::string check_shapes(const ModelConfig& config) {
    if (config.heads % config.kv_heads != 0)
        return std::to_string(config.heads) + " attention heads cannot share " +
               std::to_string(config.kv_heads) + " key-value heads evenly";
    if (config.rotary_size % 2 != 0 || config.rotary_size > config.head_size)
        return "rope.dimension_count is " + std::to_string(config.rotary_size) +
               ", which is odd or larger than a head (" + std::to_string(config.head_size) + ")";
    return {};
}

} // namespace

std::uint32_t ModelConfig::widest_layer() const {
    return intermediate.empty() ? 0 : *std::max_element(intermediate.begin(), intermediate.end());
}

Result<ModelConfig> read_model_config(const formats::ModelFile& file) {
    const auto in_file = [&](const std::string& what) { return Error{file.location() + ": " + what}; };
    if (file.tensors().empty())
        return in_file("it carries no weights (a .rknot of masks alone); name the model it was made from");
    const auto* architecture = file.metadata().string("general.architecture");
    if (!architecture)
        return in_file("the key general.architecture is missing, so this is not a language model");
    if (std::find(known_architectures.begin(), known_architectures.end(), *architecture) ==
        known_architectures.end())
        return in_file("the architecture \"" + *architecture +
                       "\" is not supported; supported: " + list_of_known());

    ModelConfig config;
    config.architecture = *architecture;
    const auto* name = file.metadata().string("general.name");
    config.name = name && !name->empty() ? *name : std::filesystem::path(file.location()).stem().string();

    constexpr std::uint64_t widest = 1u << 24;
    KeyReader keys(file, *architecture);
    config.layers = keys.count("block_count", most_layers);
    config.hidden = keys.count("embedding_length", widest);
    config.intermediate = keys.per_layer("feed_forward_length", config.layers, widest);
    config.heads = keys.count("attention.head_count", widest);
    config.kv_heads = keys.count("attention.head_count_kv", widest, config.heads);
    config.head_size = keys.count("attention.key_length", widest, std::max(1u, config.hidden / config.heads));
    if (keys.count("attention.value_length", widest, config.head_size) != config.head_size)
        keys.fail("heads whose keys and values differ in size are not supported");
    config.rotary_size = keys.count("rope.dimension_count", widest, config.head_size);
    config.rotary_base = keys.number("rope.freq_base", 10000.0);
    config.norm_epsilon = static_cast<float>(keys.number("attention.layer_norm_rms_epsilon", 1e-5));
    config.context_length = keys.count("context_length", 1u << 30, 2048u);
    if (const auto* scaling = file.metadata().string(*architecture + ".rope.scaling.type")) {
        if (*scaling == "linear")
            config.rotary_scale = keys.number("rope.scaling.factor", 1.0);
        else if (*scaling != "none")
            keys.fail("rope scaling \"" + *scaling + "\" is not supported; supported: none, linear");
    }
    if (file.metadata().unsigned_integer(*architecture + ".expert_count").value_or(0) > 0)
        keys.fail("mixture-of-experts models are not supported");
    if (!keys.error().empty()) return in_file(keys.error());
    if (const auto wrong = check_shapes(config); !wrong.empty()) return in_file(wrong);

    const auto* embedding = file.find("token_embd.weight");
    if (!embedding) return in_file("the tensor token_embd.weight is missing");
    if (embedding->rows() == 0 || embedding->rows() > widest)
        return in_file("the vocabulary is empty or too large");
    config.vocabulary = static_cast<std::uint32_t>(embedding->rows());
    if (const auto wrong = check_tensors(file, config); !wrong.empty()) return in_file(wrong);
    if (const auto wrong = read_rotary_factors(file, config); !wrong.empty()) return in_file(wrong);
    return config;
}

Result<std::shared_ptr<const text::Tokenizer>> read_tokenizer(const formats::ModelFile& file) {
    const auto& metadata = file.metadata();
    text::TokenizerSpec spec;
    const auto* kind = metadata.string("tokenizer.ggml.model");
    const auto* tokens = metadata.strings("tokenizer.ggml.tokens");
    if (!kind || !tokens)
        return Error{file.location() + " carries no tokenizer (keys tokenizer.ggml.model and .tokens)"};
    spec.model = *kind;
    spec.tokens = *tokens;
    if (const auto* pre = metadata.string("tokenizer.ggml.pre")) spec.pre = *pre;
    if (const auto* merges = metadata.strings("tokenizer.ggml.merges")) spec.merges = *merges;
    if (const auto types = metadata.numbers("tokenizer.ggml.token_type"))
        for (const double type : *types)
            spec.types.push_back(static_cast<text::TokenizerSpec::TokenType>(
                static_cast<std::int32_t>(std::clamp(type, 0.0, 255.0))));
    const auto token_of = [&](const char* key) -> std::optional<text::TokenId> {
        const auto id = metadata.unsigned_integer(key);
        if (!id || *id >= spec.tokens.size()) return std::nullopt;
        return static_cast<text::TokenId>(*id);
    };
    spec.bos = token_of("tokenizer.ggml.bos_token_id");
    spec.eos = token_of("tokenizer.ggml.eos_token_id");
    const bool by_default = std::find(adding_bos.begin(), adding_bos.end(), spec.pre) != adding_bos.end();
    spec.add_bos = metadata.boolean("tokenizer.ggml.add_bos_token").value_or(by_default);
    auto tokenizer = text::make_tokenizer(std::move(spec));
    if (!tokenizer.ok() && !tokenizer.cancelled()) return Error{file.location() + ": " + tokenizer.message()};
    return tokenizer;
}

} // namespace permafrost::model
