// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architecture.h"

#include "core/model/architectures/families.h"

#include <algorithm>
#include <array>

namespace permafrost::model {
namespace {

constexpr std::array all{&families::deci,  &families::gemma, &families::gemma2, &families::gemma3,
                         &families::llama, &families::phi3,  &families::qwen2,  &families::qwen3};

struct Reason {
    std::string_view why;
    std::string_view names; ///< each between spaces
};

constexpr std::array reasons{
    Reason{"its feed-forward layers have no gate, so their neurons are not SwiGLU neurons",
           " bloom codeshell falcon gpt2 gptj gptneox mpt nemotron openai-gpt persimmon phi2 starcoder "
           "starcoder2 apertus arcee "},
    Reason{"it is a mixture of experts, whose neurons each see only some tokens",
           " arctic bailingmoe bailingmoe2 dbrx deepseek deepseek2 deepseek4 dots1 ernie4_5-moe exaone-moe "
           "glm4moe "
           "gpt-oss granitemoe grok grovemoe hunyuan-moe lfm2moe llada-moe llama4 minimax-m2 mixtral olmoe "
           "phimoe "
           "qwen2moe qwen3moe qwen3next qwen3vlmoe smallthinker "},
    Reason{"it has recurrent layers in place of attention",
           " falcon-h1 granitehybrid jamba mamba mamba2 nemotron_h nemotron_h_moe plamo2 rwkv6 rwkv6qwen2 "
           "rwkv7 arwkv7 "
           "lfm2 "},
    Reason{"it is an encoder, not a language model that continues text",
           " bert clip eurobert jina-bert-v2 jina-bert-v3 modern-bert neo-bert nomic-bert nomic-bert-moe "
           "t5encoder "},
    Reason{"it has an encoder and a decoder", " t5 "},
    Reason{"it is an adapter or projector beside a model, not a model; open the model itself",
           " mmproj imatrix adapter "}};

} // namespace

const Architecture* find_architecture(std::string_view name) {
    const auto* found =
        std::find_if(all.begin(), all.end(), [&](const auto* known) { return known->name == name; });
    return found == all.end() ? nullptr : *found;
}

std::string known_architectures() {
    std::string list;
    for (const auto* known : all) list += (list.empty() ? "" : ", ") + std::string(known->name);
    return list;
}

std::string_view why_not_supported(std::string_view name) {
    const auto padded = " " + std::string(name) + " ";
    for (const auto& reason : reasons)
        if (reason.names.find(padded) != std::string_view::npos) return reason.why;
    return {};
}

} // namespace permafrost::model
