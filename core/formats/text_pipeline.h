// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace permafrost::formats {

/// What the normalizer, the pre-tokenizer and the post-processor of a tokenizer.json do to a text.
struct TextPipeline {
    bool byte_level = false; ///< pieces are written in the byte alphabet; otherwise spaces become U+2581
    std::string pre;         ///< byte level: GGUF's name of the pre-tokenizer
    bool compose = false;    ///< NFC first
    std::string space_prefix = "never"; ///< of text::TokenizerSpec::SpacePrefix
    bool cuts_at_marks = false; ///< pieces begin at each U+2581, so no token may have one after its beginning
    std::optional<std::string> first, last; ///< tokens before and after each text
    bool has_template = false;              ///< the post-processor says so, or that there are none
};

/// `tokenizer`: the content of tokenizer.json. Errors name the part that is not supported.
Result<TextPipeline> read_text_pipeline(const nlohmann::json& tokenizer);

} // namespace permafrost::formats
