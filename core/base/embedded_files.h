// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

namespace permafrost::embedded {

ByteSpan demo_model();           ///< resources/demo/demo.knot
std::string_view prompts();      ///< resources/prompts/builtin.jsonl
std::string_view heldout_text(); ///< resources/heldout/heldout.txt
std::string_view tasks();        ///< resources/tasks/builtin.jsonl

} // namespace permafrost::embedded
