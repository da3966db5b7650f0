// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_config.h"

#include "core/model/key_reader.h"
#include "core/model/layer_plan.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace permafrost::model {
namespace {

constexpr std::uint32_t most_layers = 4096;
constexpr std::uint64_t widest = 1u << 24;
std::string check_heads(const ModelConfig& config) {
    for (const auto& layer : config.attention)
        if (layer.kv_heads != 0 && (layer.heads % layer.kv_heads != 0 || layer.heads < layer.kv_heads))
            return std::to_string(layer.heads) + " attention heads cannot share " +
                   std::to_string(layer.kv_heads) + " key-value heads evenly";
    if (config.rotary.size % 2 != 0 || config.rotary.size > config.head_size)
        return "rope.dimension_count is " + std::to_string(config.rotary.size) +
               ", which is odd or larger than a head (" + std::to_string(config.head_size) + ")";
    return {};
}

void read_attention(KeyReader& keys, ModelConfig& config) {
    const auto& family = *config.family;
    const std::uint32_t least = family.optional_attention ? 0 : 1;
    const auto heads = keys.per_layer("attention.head_count", config.layers, widest, {}, least);
    const auto kv_heads = keys.per_layer("attention.head_count_kv", config.layers, widest, heads, least);
    for (std::uint32_t layer = 0; layer < config.layers; ++layer)
        config.attention.push_back({heads[layer], heads[layer] == 0 ? 0 : kv_heads[layer]});
    const auto usual_heads = std::max(1u, heads.front());
    config.head_size = keys.count("attention.key_length", widest, std::max(1u, config.hidden / usual_heads));
    if (keys.count("attention.value_length", widest, config.head_size) != config.head_size)
        keys.fail("heads whose keys and values differ in size are not supported");

    const bool hidden_scale =
        family.layers_with_hidden_scale != 0 && family.layers_with_hidden_scale == config.layers;
    const auto size = static_cast<float>(hidden_scale ? config.hidden / usual_heads : config.head_size);
    config.attention_scale = keys.has("attention.scale") ? static_cast<float>(keys.number("attention.scale"))
                                                         : 1.0f / std::sqrt(size);
    const auto softcap = [&](const char* key, float otherwise) {
        return keys.has(key) ? static_cast<float>(keys.number(key)) : otherwise;
    };
    config.attention_softcap = softcap("attn_logit_softcapping", family.default_attention_softcap);
    config.final_softcap = softcap("final_logit_softcapping", family.default_final_softcap);
}

// Which layers see a window only: a list in the file, else every one but the last of each period.
void read_windows(KeyReader& keys, ModelConfig& config) {
    const auto& family = *config.family;
    constexpr std::uint64_t longest = 1u << 30;
    const auto window = keys.count("attention.sliding_window", longest, family.default_window, 0);
    if (window == 0) return;
    constexpr const char* pattern_key = "attention.sliding_window_pattern";
    // A list says for each layer whether it has a window; one number is a period.
    const auto list = keys.flags(pattern_key, config.layers);
    const auto period = list.empty() ? keys.count(pattern_key, longest, family.window_period, 0) : 0;
    for (std::uint32_t layer = 0; layer < config.layers; ++layer) {
        const bool windowed = list.empty() ? period == 0 || layer % period < period - 1 : list[layer];
        if (!windowed) continue;
        config.attention[layer].window = window;
        config.attention[layer].local_rotary = true;
    }
}

std::string read_factors(const formats::ModelFile& file, const char* name, std::size_t count,
                         std::vector<float>& factors) {
    const auto* view = file.find(name);
    if (!view) return {};
    factors.resize(count);
    tensor::decode(view->type, view->bytes.data(), factors.data(), count);
    for (const float factor : factors)
        if (!std::isfinite(factor) || factor <= 0)
            return "the tensor " + std::string(name) + " holds a value that is not positive";
    return {};
}

void read_rotary(KeyReader& keys, ModelConfig& config) {
    auto& rotary = config.rotary;
    rotary.size = keys.count("rope.dimension_count", widest, config.head_size);
    rotary.base = keys.number("rope.freq_base", 10000.0);
    rotary.magnitude = keys.number("rope.scaling.attn_factor", 1.0);
    rotary.long_above = keys.count("rope.scaling.original_context_length", 1u << 30, config.context_length);
    const auto* scaling = keys.string("rope.scaling.type");
    if (!scaling || *scaling == "linear")
        rotary.scale = keys.has("rope.scaling.factor") ? keys.number("rope.scaling.factor")
                                                       : keys.number("rope.scale_linear", 1.0);
    else if (*scaling != "none" && *scaling != "longrope")
        keys.fail("rope scaling \"" + *scaling + "\" is not supported; supported: none, linear, longrope");
    config.local_rotary = rotary;
    config.local_rotary.base =
        keys.number("rope.freq_base_swa",
                    config.family->local_rotary_base != 0 ? config.family->local_rotary_base : rotary.base);
    if (config.family->local_rotary_base != 0) config.local_rotary.scale = 1.0;
}

// Once the tensors' shapes are known to be right.
std::string read_rotary_factors(const formats::ModelFile& file, ModelConfig& config) {
    auto& rotary = config.rotary;
    const std::size_t count = rotary.size / 2;
    for (const auto& [name, target] : {std::pair{"rope_factors_short.weight", &rotary.factors},
                                       std::pair{"rope_factors_long.weight", &rotary.long_factors},
                                       std::pair{"rope_freqs.weight", &rotary.factors}})
        if (auto wrong = read_factors(file, name, count, *target); !wrong.empty()) return wrong;
    if (config.family->local_rotary_base == 0) {
        config.local_rotary.factors = rotary.factors;
        config.local_rotary.long_factors = rotary.long_factors;
    }
    return {};
}

std::string name_of(const formats::ModelFile& file) {
    for (const char* key : {"general.name", "permafrost.name"})
        if (const auto* name = file.metadata().string(key); name && !name->empty()) return *name;
    return std::filesystem::path(file.location()).stem().string();
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
    ModelConfig config;
    config.architecture = *architecture;
    config.family = find_architecture(*architecture);
    if (!config.family) {
        const auto why = why_not_supported(*architecture);
        return in_file("the architecture \"" + *architecture + "\" is not supported" +
                       (why.empty() ? "" : ": " + std::string(why)) +
                       "; supported: " + known_architectures());
    }
    config.name = name_of(file);

    KeyReader keys(file.metadata(), *architecture);
    if (const auto experts = file.metadata().unsigned_integer(*architecture + ".expert_count").value_or(0))
        return in_file(
            "it is a mixture of experts (" + std::to_string(experts) +
            " a layer); mixture-of-experts models are not supported, only dense feed-forward layers");
    config.layers = keys.count("block_count", most_layers);
    config.hidden = keys.count("embedding_length", widest);
    config.intermediate = keys.per_layer("feed_forward_length", config.layers, widest);
    config.norm_epsilon = static_cast<float>(keys.number("attention.layer_norm_rms_epsilon"));
    config.context_length = keys.count("context_length", 1u << 30, 2048u);
    if (config.family->scaled_embedding)
        config.embedding_scale = std::sqrt(static_cast<float>(config.hidden));
    read_attention(keys, config);
    read_rotary(keys, config);
    read_windows(keys, config);
    if (!keys.error().empty()) return in_file(keys.error());
    if (const auto wrong = check_heads(config); !wrong.empty()) return in_file(wrong);

    const auto* embedding = file.find("token_embd.weight");
    if (!embedding) return in_file("missing tensors: token_embd.weight");
    if (embedding->rows() == 0 || embedding->rows() > widest)
        return in_file("the vocabulary is empty or too large");
    config.vocabulary = static_cast<std::uint32_t>(embedding->rows());
    if (const auto wrong = check_tensors(file, config); !wrong.empty()) return in_file(wrong);
    if (const auto wrong = read_rotary_factors(file, config); !wrong.empty()) return in_file(wrong);
    return config;
}

} // namespace permafrost::model
