// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <span>

namespace permafrost::embedded {

ByteSpan demo_model();           ///< resources/demo/demo.knot
std::string_view prompts();      ///< resources/prompts/builtin.jsonl
std::string_view heldout_text(); ///< resources/heldout/heldout.txt
std::string_view tasks();        ///< resources/tasks/builtin.jsonl

struct EmbeddedText {
    std::string_view path; ///< in the source tree
    std::string_view text;
};
/// Templates of integration kits (resources/integrations), and the Python package and Rust crate that they carry.
std::span<const EmbeddedText> kit_texts();

} // namespace permafrost::embedded
