// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/embedded_files.h"

extern "C" {
extern const std::byte permafrost_demo_knot_begin[];
extern const std::byte permafrost_demo_knot_end[];
extern const char permafrost_builtin_prompts_begin[];
extern const char permafrost_builtin_prompts_end[];
extern const char permafrost_heldout_text_begin[];
extern const char permafrost_heldout_text_end[];
extern const char permafrost_builtin_tasks_begin[];
extern const char permafrost_builtin_tasks_end[];
}

namespace permafrost::embedded {

ByteSpan demo_model() { return {permafrost_demo_knot_begin, permafrost_demo_knot_end}; }
std::string_view prompts() { return {permafrost_builtin_prompts_begin, permafrost_builtin_prompts_end}; }
std::string_view tasks() { return {permafrost_builtin_tasks_begin, permafrost_builtin_tasks_end}; }
std::string_view heldout_text() { return {permafrost_heldout_text_begin, permafrost_heldout_text_end}; }

} // namespace permafrost::embedded
