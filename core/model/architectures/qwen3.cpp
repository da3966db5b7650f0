// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architectures/families.h"

namespace permafrost::model::families {

constinit const Architecture qwen3{
    .name = "qwen3", .attention_bias = Presence::Optional, .query_key_norms = true};

} // namespace permafrost::model::families
