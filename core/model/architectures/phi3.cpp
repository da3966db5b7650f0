// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architectures/families.h"

namespace permafrost::model::families {

// Phi-3, Phi-3.5 and Phi-4: fused attn_qkv and ffn_up, LongRoPE factors, partial rotary embedding in Phi-4-mini.
constinit const Architecture phi3{
    .name = "phi3", .fused_gate_up = true, .attention_bias = Presence::Optional};

} // namespace permafrost::model::families
