// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architectures/families.h"

namespace permafrost::model::families {

// Llama with layers of different shape: what neural architecture search and physical removal of neurons leave.
constinit const Architecture deci{.name = "deci",
                                  .rotary_pairs = RotaryPairs::Interleaved,
                                  .attention_bias = Presence::Optional,
                                  .output_bias = Presence::Optional,
                                  .ffn_bias = Presence::Optional,
                                  .optional_attention = true};

} // namespace permafrost::model::families
