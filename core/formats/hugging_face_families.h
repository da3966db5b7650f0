// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the files that transformers writes differ from GGUF, family by family, as data. A further family is one entry in
// hugging_face_families.cpp. Defaults are those of transformers' configuration classes, for keys that config.json leaves out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace permafrost::formats {

/// Which layers see a sliding window, where config.json has no list layer_types.
enum class WindowedLayers : std::uint8_t {
    None,     ///< the family has none, whatever config.json says
    All,      ///< every layer, when sliding_window is a number
    Switched, ///< those from max_window_layers on, when use_sliding_window is true
    Periodic  ///< all but the last of each period
};

struct HuggingFaceFamily {
    std::string_view class_name;   ///< in config.json's list architectures
    std::string_view architecture; ///< general.architecture of the same model as GGUF
    bool interleaves_heads =
        false; ///< Q and K rows stand in another order than in GGUF (RotaryPairs::Interleaved)
    bool norms_less_one = false; ///< norm weights are stored less one
    bool post_norms = false;  ///< post_attention_layernorm comes before the residual sum, not before the FFN
    bool tied_output = false; ///< tie_word_embeddings
    std::string_view activation_key = "hidden_act";
    std::string_view activation = "silu"; ///< the only one that the family is run with
    WindowedLayers windowed = WindowedLayers::None;
    std::uint32_t window = 0;                        ///< sliding_window; 0: none
    std::uint32_t window_period = 0;                 ///< sliding_window_pattern
    std::uint32_t head_size = 0;                     ///< head_dim; 0: hidden_size / num_attention_heads
    std::uint32_t heads = 0, kv_heads = 0;           ///< 0: config.json must say; kv_heads: as many as heads
    double norm_epsilon = 0;                         ///< rms_norm_eps; 0: config.json must say
    double rotary_base = 10000.0;                    ///< rope_theta
    double local_rotary_base = 0;                    ///< of windowed layers; 0: the same
    double attention_softcap = 0, final_softcap = 0; ///< 0: none
};

/// Null for a class that cannot be run.
const HuggingFaceFamily* find_hugging_face_family(std::string_view class_name);

/// "GemmaForCausalLM, …", for messages.
std::string known_hugging_face_families();

} // namespace permafrost::formats
