// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/model_file.h"
#include "core/model/architecture.h"
#include "core/model/read_tokenizer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace permafrost::model {

/// A rotary position embedding: pair i of a head's leading `size` values is turned by
/// position * base^(-2 i / size) / (factor[i] * scale), and multiplied with `magnitude`.
struct Rotary {
    std::uint32_t size = 0; ///< leading values of a head that are turned; even
    double base = 10000.0;
    double scale = 1.0;         ///< linear scaling
    std::vector<float> factors; ///< (size / 2) divisors of the frequencies (Llama 3, LongRoPE), or empty
    std::vector<float>
        long_factors; ///< (size / 2) in their place in sequences above `long_above` tokens, or empty
    std::uint32_t long_above = 0;
    double magnitude = 1.0; ///< LongRoPE's attention factor
};

/// The attention of one layer.
struct LayerAttention {
    std::uint32_t heads = 0;    ///< 0: the layer has no attention
    std::uint32_t kv_heads = 0; ///< 0 with heads: the output matrix alone, without looking at other tokens
    std::uint32_t window = 0;   ///< a token sees this many, itself included; 0: all before it
    bool local_rotary = false;  ///< turns by ModelConfig::local_rotary
};

/// The architecture of a model as numbers.
struct ModelConfig {
    const Architecture* family = nullptr;
    std::string architecture; ///< "llama"
    std::string name;         ///< general.name, else the file's stem
    std::uint32_t layers = 0;
    std::uint32_t hidden = 0;                ///< hidden size (embedding length)
    std::vector<std::uint32_t> intermediate; ///< (layer) FFN neurons
    std::vector<LayerAttention> attention;   ///< (layer)
    std::uint32_t head_size = 0;
    float attention_scale = 0;   ///< what scores are multiplied with
    float attention_softcap = 0; ///< score -> cap * tanh(score / cap) before the mask; 0: none
    float final_softcap = 0;     ///< the same for logits
    Rotary rotary, local_rotary;
    float norm_epsilon = 1e-5f;
    float embedding_scale = 1.0f;
    std::uint32_t vocabulary = 0;
    std::uint32_t context_length = 0; ///< what the model was trained for
    bool tied_output = false;         ///< the output matrix is the token embedding

    // Bytes of the file's weights that one token reads (embedding rows aside), for whole-model estimates.
    std::uint64_t weight_bytes = 0;
    std::uint64_t ffn_weight_bytes = 0;

    std::uint32_t widest_layer() const;
    std::size_t query_size(std::uint32_t layer) const {
        return std::size_t{attention[layer].heads} * head_size;
    }
    std::size_t kv_size(std::uint32_t layer) const {
        return std::size_t{attention[layer].kv_heads} * head_size;
    }
};

/// Reads the architecture and checks that each tensor the forward pass needs is there with the right shape.
/// Errors: an architecture that cannot be run (the message says why, or lists those that can), a missing key, missing
/// tensors (all of them), wrong shapes, tensors that the architecture does not have.
Result<ModelConfig> read_model_config(const formats::ModelFile& file);

} // namespace permafrost::model
