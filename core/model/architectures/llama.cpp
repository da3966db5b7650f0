// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architectures/families.h"

namespace permafrost::model::families {

// Llama 1 to 3.3, Mistral, SmolLM, TinyLlama and many others of the same shape. Mistral's first version has a window, which
// GGUF converters leave out.
constinit const Architecture llama{.name = "llama",
                                   .rotary_pairs = RotaryPairs::Interleaved,
                                   .attention_bias = Presence::Optional,
                                   .output_bias = Presence::Optional,
                                   .ffn_bias = Presence::Optional};

} // namespace permafrost::model::families
