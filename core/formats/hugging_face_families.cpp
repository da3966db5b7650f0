// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face_families.h"

#include <algorithm>
#include <array>

namespace permafrost::formats {
namespace {

constexpr std::string_view tanh_gelu = "gelu_pytorch_tanh";

constexpr HuggingFaceFamily gemma3(std::string_view class_name) {
    return {.class_name = class_name,
            .architecture = "gemma3",
            .norms_less_one = true,
            .post_norms = true,
            .tied_output = true,
            .activation_key = "hidden_activation",
            .activation = tanh_gelu,
            .windowed = WindowedLayers::Periodic,
            .window = 4096,
            .window_period = 6,
            .head_size = 256,
            .heads = 8,
            .kv_heads = 4,
            .norm_epsilon = 1e-6,
            .rotary_base = 1000000.0,
            .local_rotary_base = 10000.0};
}

constexpr std::array families{
    HuggingFaceFamily{.class_name = "LlamaForCausalLM", .architecture = "llama", .interleaves_heads = true},
    HuggingFaceFamily{.class_name = "MistralForCausalLM",
                      .architecture = "llama",
                      .interleaves_heads = true,
                      .windowed = WindowedLayers::All,
                      .window = 4096},
    HuggingFaceFamily{
        .class_name = "Phi3ForCausalLM", .architecture = "phi3", .windowed = WindowedLayers::All},
    HuggingFaceFamily{.class_name = "Qwen2ForCausalLM",
                      .architecture = "qwen2",
                      .windowed = WindowedLayers::Switched,
                      .window = 4096},
    HuggingFaceFamily{.class_name = "Qwen3ForCausalLM",
                      .architecture = "qwen3",
                      .windowed = WindowedLayers::Switched,
                      .window = 4096,
                      .head_size = 128},
    HuggingFaceFamily{.class_name = "GemmaForCausalLM",
                      .architecture = "gemma",
                      .norms_less_one = true,
                      .tied_output = true,
                      .activation_key = "hidden_activation",
                      .activation = tanh_gelu,
                      .head_size = 256},
    HuggingFaceFamily{.class_name = "Gemma2ForCausalLM",
                      .architecture = "gemma2",
                      .norms_less_one = true,
                      .post_norms = true,
                      .tied_output = true,
                      .activation_key = "hidden_activation",
                      .activation = tanh_gelu,
                      .windowed = WindowedLayers::Periodic,
                      .window = 4096,
                      .window_period = 2,
                      .head_size = 256,
                      .attention_softcap = 50.0,
                      .final_softcap = 30.0},
    gemma3("Gemma3ForCausalLM"),
    gemma3("Gemma3ForConditionalGeneration")};

} // namespace

const HuggingFaceFamily* find_hugging_face_family(std::string_view class_name) {
    const auto* found = std::find_if(families.begin(), families.end(),
                                     [&](const auto& family) { return family.class_name == class_name; });
    return found == families.end() ? nullptr : found;
}

std::string known_hugging_face_families() {
    std::string list;
    for (const auto& family : families) list += (list.empty() ? "" : ", ") + std::string(family.class_name);
    return list;
}

} // namespace permafrost::formats
