// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/architecture.h"

namespace permafrost::model::families {

extern const Architecture deci, gemma, gemma2, gemma3, llama, phi3, qwen2, qwen3;

} // namespace permafrost::model::families
