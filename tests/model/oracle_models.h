// SPDX-License-Identifier: GPL-3.0-or-later
//
// The models whose log-probabilities tests/model/make_fixtures.py stored.
#pragma once

#include "tests/support/gguf_builder.h"

#include <string>
#include <vector>

namespace permafrost::test {

/// Log-probabilities are stored for the last positions of a sequence that is longer than one block of
/// attention.
inline constexpr std::size_t oracle_tokens = 70;
inline constexpr std::size_t oracle_positions = 15;

inline std::vector<TinyLlama> oracle_models() {
    using tensor::ElementType;
    TinyLlama plain;
    plain.file_name = "plain.gguf";
    plain.seed = 11;
    plain.vocabulary = tiny_llama_smallest_vocabulary;
    plain.kv_heads = plain.heads;

    TinyLlama grouped = plain;
    grouped.file_name = "grouped.gguf";
    grouped.seed = 12;
    grouped.heads = 8;
    grouped.kv_heads = 2;
    grouped.layers = 3;

    TinyLlama output = plain;
    output.file_name = "output.gguf";
    output.seed = 13;
    output.kv_heads = 1;
    output.output_matrix = true;

    TinyLlama factors = plain;
    factors.file_name = "factors.gguf";
    factors.seed = 14;
    factors.rotary_factors = true;
    factors.rotary_base = 500000.0f;

    TinyLlama quantised = plain;
    quantised.file_name = "quantised.gguf";
    quantised.seed = 15;
    quantised.hidden = 256;
    quantised.heads = 8;
    quantised.kv_heads = 4;
    quantised.ffn = 512;
    quantised.embedding_type = ElementType::Q8_0;
    quantised.attention_type = ElementType::Q8_0;
    quantised.ffn_type = ElementType::Q4_K;
    quantised.down_type = ElementType::Q6_K;
    return {plain, grouped, output, factors, quantised};
}

} // namespace permafrost::test
