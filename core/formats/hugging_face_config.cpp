// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face_config.h"

#include "core/formats/json_fields.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace permafrost::formats {
namespace {

using nlohmann::json;

/// Turns config.json into keys under "<architecture>.".
class ConfigReader {
  public:
    ConfigReader(const json& config, HuggingFaceConfig& target)
        : fields_(config), target_(target), family_(*target.family) {}

    void read();
    const std::string& error() const { return fields_.error(); }

  private:
    template <class T>
    void set(const char* key, T value) {
        target_.metadata.set(std::string(family_.architecture) + "." + key, make_value(value));
    }
    void set_if(const char* key, double value) {
        if (value != 0) set(key, static_cast<float>(value));
    }
    void read_sizes();
    void read_attention();
    void read_windows();
    void read_listed_windows(const json& types);
    void read_rotary();
    void scale_as_llama3(const json& scaling, double base, std::uint32_t rotated);
    void scale_as_longrope(const json& scaling, std::uint32_t rotated);
    void check_activation();

    JsonFields fields_;
    HuggingFaceConfig& target_;
    const HuggingFaceFamily& family_;
    std::uint32_t layers_ = 0;
};

void ConfigReader::check_activation() {
    auto activation = fields_.string(family_.activation_key.data());
    // The first Gemma said "gelu" and meant its approximation by tanh, which transformers runs.
    if (activation.empty()) activation = family_.activation;
    if (activation != family_.activation)
        fields_.fail("the activation function \"" + activation + "\" is not supported for " +
                     std::string(family_.class_name) + ", only \"" + std::string(family_.activation) + "\"");
}

void ConfigReader::read_sizes() {
    layers_ = fields_.count("num_hidden_layers");
    set("block_count", layers_);
    set("context_length", fields_.count("max_position_embeddings", 131072u));
    set("embedding_length", fields_.count("hidden_size"));
    set("feed_forward_length", fields_.count("intermediate_size"));
    target_.vocabulary = fields_.count("vocab_size", 0u);
    if (target_.vocabulary != 0) set("vocab_size", target_.vocabulary);
    const auto epsilon = family_.norm_epsilon;
    set("attention.layer_norm_rms_epsilon",
        static_cast<float>(
            fields_.number("rms_norm_eps", epsilon != 0 ? std::optional(epsilon) : std::nullopt)));
    target_.tied_output = fields_.flag("tie_word_embeddings", family_.tied_output);
}

void ConfigReader::read_attention() {
    const auto if_any = [](std::uint32_t value) { return value != 0 ? std::optional(value) : std::nullopt; };
    const auto heads = fields_.count("num_attention_heads", if_any(family_.heads));
    const auto kv_heads =
        fields_.count("num_key_value_heads", family_.kv_heads != 0 ? family_.kv_heads : heads);
    const auto hidden = fields_.count("hidden_size");
    target_.head_size =
        fields_.count("head_dim", family_.head_size != 0 ? family_.head_size : std::max(1u, hidden / heads));
    set("attention.head_count", heads);
    set("attention.head_count_kv", kv_heads);
    set("attention.key_length", target_.head_size);
    set("attention.value_length", target_.head_size);
    if (fields_.has("query_pre_attn_scalar"))
        set("attention.scale", 1.0f / std::sqrt(static_cast<float>(fields_.number("query_pre_attn_scalar"))));
    const auto softcap = [&](const char* key, const char* target, double usual) {
        if (usual != 0 && !fields_.has(key) && fields_.contains(key))
            fields_.fail("the key " + std::string(key) +
                         " is null; a model of this family without it is not "
                         "supported");
        set_if(target, fields_.has(key) ? fields_.number(key) : usual);
    };
    softcap("attn_logit_softcapping", "attn_logit_softcapping", family_.attention_softcap);
    softcap("final_logit_softcapping", "final_logit_softcapping", family_.final_softcap);
    if (fields_.has("attention_bias")) target_.attention_bias = fields_.flag("attention_bias", false);
    if (fields_.has("mlp_bias")) target_.feed_forward_bias = fields_.flag("mlp_bias", false);
}

void ConfigReader::read_windows() {
    const bool null_window = fields_.contains("sliding_window") && !fields_.has("sliding_window");
    const bool switched_off =
        family_.windowed == WindowedLayers::Switched && !fields_.flag("use_sliding_window", false);
    if (family_.windowed == WindowedLayers::None) return;
    const auto window = null_window || switched_off ? 0 : fields_.count("sliding_window", family_.window, 0);
    set("attention.sliding_window", window);
    if (window == 0) return;
    if (fields_.has("layer_types")) return read_listed_windows(fields_.at("layer_types"));
    if (family_.windowed == WindowedLayers::Switched) {
        const auto first = fields_.count("max_window_layers", 28u, 0);
        json types = json::array();
        for (std::uint32_t layer = 0; layer < layers_; ++layer)
            types.push_back(layer >= first ? "sliding_attention" : "full_attention");
        return read_listed_windows(types);
    }
    if (family_.windowed == WindowedLayers::Periodic) {
        const char* key =
            fields_.has("sliding_window_pattern") ? "sliding_window_pattern" : "_sliding_window_pattern";
        set("attention.sliding_window_pattern", fields_.count(key, family_.window_period));
    }
}

void ConfigReader::read_listed_windows(const json& types) {
    std::vector<std::uint64_t> windowed;
    for (const auto& type : types) {
        if (type != "sliding_attention" && type != "full_attention")
            fields_.fail("the list layer_types holds " + type.dump().substr(0, 60) +
                         ", but only full_attention and sliding_attention are supported");
        windowed.push_back(type == "sliding_attention");
    }
    if (windowed.size() != layers_)
        fields_.fail("the list layer_types has " + std::to_string(windowed.size()) + " entries for " +
                     std::to_string(layers_) + " layers");
    target_.metadata.set(std::string(family_.architecture) + ".attention.sliding_window_pattern",
                         Value{ValueType::Array, ValueArray{ValueType::Bool, std::move(windowed)}});
}

void ConfigReader::read_rotary() {
    // Since transformers 5 all is in rope_parameters, for some families once for each kind of layer; before, bases stood
    // beside rope_scaling.
    const auto& newer = fields_.at("rope_parameters");
    const JsonFields kinds(newer);
    const json& scaling = kinds.has("full_attention") ? kinds.at("full_attention")
                          : newer.is_object()         ? newer
                                                      : fields_.at("rope_scaling");
    JsonFields rope(scaling);
    const auto base = rope.number("rope_theta", fields_.number("rope_theta", family_.rotary_base));
    const auto share = rope.number("partial_rotary_factor", fields_.number("partial_rotary_factor", 1.0));
    const auto rotated = static_cast<std::uint32_t>(std::min(share, 1.0) * target_.head_size);
    set("rope.dimension_count", rotated);
    set("rope.freq_base", static_cast<float>(base));
    if (family_.local_rotary_base != 0) {
        JsonFields local(kinds.at("sliding_attention"));
        set("rope.freq_base_swa",
            static_cast<float>(local.number(
                "rope_theta", fields_.number("rope_local_base_freq", family_.local_rotary_base))));
        if (!local.error().empty()) fields_.fail(local.error());
    }
    const auto type = rope.has("rope_type") ? rope.string("rope_type") : rope.string("type");
    if (type == "linear") {
        set("rope.scaling.type", "linear");
        set("rope.scaling.factor", static_cast<float>(rope.number("factor")));
    } else if (type == "llama3") {
        scale_as_llama3(scaling, base, rotated);
    } else if (type == "longrope" || type == "su") {
        scale_as_longrope(scaling, rotated);
    } else if (!type.empty() && type != "default") {
        fields_.fail("rotary scaling \"" + type +
                     "\" is not supported; supported are default, linear, llama3 and longrope");
    }
    if (!rope.error().empty()) fields_.fail(rope.error());
}

// Frequencies whose wavelength is long against the original context are divided by `factor`, short ones kept, with a ramp
// between (transformers, modeling_rope_utils.py). Stored as GGUF stores it: a divisor each, in f32.
void ConfigReader::scale_as_llama3(const json& scaling, double base, std::uint32_t rotated) {
    JsonFields rope(scaling);
    const auto factor = static_cast<float>(rope.number("factor"));
    const auto low = static_cast<float>(rope.number("low_freq_factor"));
    const auto high = static_cast<float>(rope.number("high_freq_factor"));
    const auto context = static_cast<float>(rope.number("original_max_position_embeddings"));
    if (!rope.error().empty()) return fields_.fail(rope.error());
    if (low >= high) return fields_.fail("high_freq_factor must be above low_freq_factor");
    for (std::uint32_t i = 0; i + 1 < rotated; i += 2) {
        const float exponent = static_cast<float>(i) / static_cast<float>(rotated);
        const float frequency = 1.0f / std::pow(static_cast<float>(base), exponent);
        const float wavelength = 2.0f * std::numbers::pi_v<float> / frequency;
        const float ramp = std::clamp((context / wavelength - low) / (high - low), 0.0f, 1.0f);
        target_.rotary_factors.push_back(ramp == 0.0f ? factor : 1.0f / ((1.0f - ramp) / factor + ramp));
    }
}

void ConfigReader::scale_as_longrope(const json& scaling, std::uint32_t rotated) {
    JsonFields rope(scaling);
    target_.short_factors = rope.numbers("short_factor");
    target_.long_factors = rope.numbers("long_factor");
    const auto context = fields_.count("max_position_embeddings");
    const auto original = rope.has("original_max_position_embeddings")
                              ? rope.count("original_max_position_embeddings")
                              : fields_.count("original_max_position_embeddings");
    if (!rope.error().empty()) return fields_.fail(rope.error());
    if (target_.short_factors.size() != rotated / 2 || target_.long_factors.size() != rotated / 2)
        return fields_.fail("short_factor and long_factor must have " + std::to_string(rotated / 2) +
                            " numbers each");
    const double factor = rope.number("factor", static_cast<double>(context) / original);
    const double usual = factor <= 1.0 ? 1.0 : std::sqrt(1.0 + std::log(factor) / std::log(original));
    set("rope.scaling.type", "longrope");
    set("rope.scaling.original_context_length", original);
    set("rope.scaling.attn_factor", static_cast<float>(rope.number("attention_factor", usual)));
    if (!rope.error().empty()) fields_.fail(rope.error());
}

void ConfigReader::read() {
    check_activation();
    if (fields_.flag("use_bidirectional_attention", false))
        fields_.fail(
            "its tokens look at those after them (use_bidirectional_attention), so it is no language model");
    read_sizes();
    read_attention();
    read_windows();
    read_rotary();
}

// What config.json calls the model's class.
std::string class_name_of(const json& config) {
    const auto list = config.value("architectures", json());
    return list.is_array() && !list.empty() && list[0].is_string() ? list[0].get<std::string>() : "";
}

std::string why_not(const std::string& class_name, const json& config) {
    const auto contains = [&](const char* part) { return class_name.find(part) != std::string::npos; };
    if (contains("Moe") || contains("MoE") || contains("Mixtral") || config.contains("num_local_experts"))
        return ": it is a mixture of experts, whose neurons each see only some tokens";
    if (contains("Phi") || contains("Falcon") || contains("GPT") || contains("Starcoder2"))
        return ": its feed-forward layers have no gate, or it is of another shape";
    return "";
}

} // namespace

Result<HuggingFaceConfig> read_hugging_face_config(const json& config, const std::string& where) {
    if (!config.is_object()) return Error{where + ": it is no JSON object"};
    const auto class_name = class_name_of(config);
    if (class_name.empty())
        return Error{where + ": the list architectures is missing, so the model's class is unknown"};
    HuggingFaceConfig result;
    result.family = find_hugging_face_family(class_name);
    if (!result.family)
        return Error{where + ": the class " + class_name + " is not supported" + why_not(class_name, config) +
                     "; supported: " + known_hugging_face_families()};
    if (!config.value("quantization_config", json()).is_null())
        return Error{where +
                     ": its weights are quantised by another program (quantization_config); open the F16 or "
                     "BF16 model it was made from, or a GGUF"};
    result.metadata.set("general.architecture", make_value(std::string(result.family->architecture)));
    // Models that also see pictures keep what concerns the language in an object of its own.
    const bool nested = config.contains("text_config") && config["text_config"].is_object();
    ConfigReader reader(nested ? config["text_config"] : config, result);
    reader.read();
    if (!reader.error().empty()) return Error{where + ": " + reader.error()};
    return result;
}

} // namespace permafrost::formats
