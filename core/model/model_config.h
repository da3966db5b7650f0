// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/model_file.h"
#include "core/text/tokenizer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace permafrost::model {

/// Which pairs of a head's values a rotary embedding turns together.
enum class RotaryPairs : std::uint8_t {
    Interleaved, ///< (0,1), (2,3), …: GGUF files of the llama family, whose Q and K rows were permuted for it
    Halves       ///< (0, d/2), (1, d/2+1), …: Hugging Face files, and the qwen, phi and gemma families
};

/// The architecture of a model as numbers.
struct ModelConfig {
    std::string architecture; ///< "llama"
    std::string name;         ///< general.name, else the file's stem
    std::uint32_t layers = 0;
    std::uint32_t hidden = 0;                ///< hidden size (embedding length)
    std::vector<std::uint32_t> intermediate; ///< (layer) FFN neurons
    std::uint32_t heads = 0;
    std::uint32_t kv_heads = 0;
    std::uint32_t head_size = 0;
    std::uint32_t rotary_size = 0; ///< leading values of a head that are turned
    RotaryPairs rotary_pairs = RotaryPairs::Interleaved;
    double rotary_base = 10000.0;
    std::vector<float> rotary_factors; ///< (rotary_size / 2) divisors of the frequencies (Llama 3), or empty
    double rotary_scale = 1.0;         ///< positions are divided by this (linear scaling)
    float norm_epsilon = 1e-5f;
    std::uint32_t vocabulary = 0;
    std::uint32_t context_length = 0; ///< what the model was trained for
    bool tied_output = false;         ///< the output matrix is the token embedding

    // Bytes of the file's weights that one token reads (embedding rows aside), for whole-model estimates.
    std::uint64_t weight_bytes = 0;
    std::uint64_t ffn_weight_bytes = 0;

    std::uint32_t widest_layer() const;
};

/// Reads the architecture and checks that each tensor the forward pass needs is there with the right shape.
/// Errors: an architecture that is not known (the message lists those that are), a missing key or tensor, a wrong shape.
Result<ModelConfig> read_model_config(const formats::ModelFile& file);

/// The tokenizer that the file carries (keys tokenizer.ggml.*).
Result<std::shared_ptr<const text::Tokenizer>> read_tokenizer(const formats::ModelFile& file);

} // namespace permafrost::model
