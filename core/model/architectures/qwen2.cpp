// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architectures/families.h"

namespace permafrost::model::families {

// Qwen2 and Qwen2.5.
constinit const Architecture qwen2{.name = "qwen2", .attention_bias = Presence::Always};

} // namespace permafrost::model::families
