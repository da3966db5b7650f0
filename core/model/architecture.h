// SPDX-License-Identifier: GPL-3.0-or-later
//
// What distinguishes one family of models from another, as data. The forward pass reads it and knows no family by name. A
// further family is one short file in architectures/ and its name in architecture.cpp.
#pragma once

#include "core/model/gate_activation.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace permafrost::model {

/// Which pairs of a head's values a rotary embedding turns together.
enum class RotaryPairs : std::uint8_t {
    Interleaved, ///< (0,1), (2,3), …: GGUF files of the llama family, whose Q and K rows were permuted for it
    Halves       ///< (0, d/2), (1, d/2+1), …: the qwen, phi and gemma families
};

/// Whether a layer has a tensor.
enum class Presence : std::uint8_t { Never, Optional, Always };

/// One family. Key names are those of GGUF after "<name>.", tensor names those after "blk.<layer>.".
struct Architecture {
    std::string_view name; ///< general.architecture
    RotaryPairs rotary_pairs = RotaryPairs::Halves;
    GateActivation activation = GateActivation::Silu;
    bool fused_gate_up = false;                ///< no ffn_gate: the first half of ffn_up's rows is the gate
    Presence attention_bias = Presence::Never; ///< attn_q.bias, attn_k.bias, attn_v.bias
    Presence output_bias = Presence::Never;    ///< attn_output.bias
    Presence ffn_bias = Presence::Never;       ///< ffn_gate.bias, ffn_up.bias, ffn_down.bias
    bool query_key_norms = false;    ///< attn_q_norm, attn_k_norm: RMS norm of each head before it is turned
    bool post_norms = false;         ///< post_attention_norm, post_ffw_norm: before the residual sum
    bool scaled_embedding = false;   ///< token embeddings times sqrt(hidden)
    bool optional_attention = false; ///< layers may have no attention heads

    // Sliding window (attention.sliding_window); where the file lists no pattern, the last of every `window_period`
    // layers sees everything; 0: none does.
    std::uint32_t window_period = 0;
    std::uint32_t default_window = 0; ///< where the file has no window; 0: none then
    /// Windowed layers turn by rope.freq_base_swa, by default this, and never scale positions; 0: like the others.
    double local_rotary_base = 0;

    float default_attention_softcap = 0; ///< where the file has no attn_logit_softcapping; 0: none
    float default_final_softcap = 0;     ///< where the file has no final_logit_softcapping; 0: none
    /// Models of so many layers scale attention scores by 1/sqrt(hidden / heads) in place of 1/sqrt(head size), which
    /// files of this family do not say (the 27B ones; gemma2.cpp and gemma3.cpp of llama.cpp); 0: none.
    std::uint32_t layers_with_hidden_scale = 0;
};

/// Null for a family that cannot be run.
const Architecture* find_architecture(std::string_view name);

/// "deci, gemma, …", for messages.
std::string known_architectures();

/// Why a well-known family cannot be run ("its feed-forward layers have no gate"), or nothing.
std::string_view why_not_supported(std::string_view name);

} // namespace permafrost::model
