// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/metadata.h"

#include <cstdint>
#include <filesystem>

namespace permafrost::formats {

/// Reads tokenizer.json and tokenizer_config.json of a Hugging Face folder into GGUF's keys tokenizer.ggml.*, so that every
/// text gets the ids that Hugging Face's `tokenizers` gives it. What GGUF has no key for is kept under
/// permafrost.tokenizer.*. Without a tokenizer.json nothing is set. `vocabulary` is the number of rows of the embedding: more
/// tokens are an error, but for special ones, which are left out; missing ones at the end become unused tokens.
/// Errors: a model, normalizer, pre-tokenizer, post-processor or property of a token that is not supported (named); ids with
/// gaps, twice or out of range; tokens twice; merges that are no pairs.
Result<void> add_hugging_face_tokenizer(const std::filesystem::path& folder, std::uint64_t vocabulary,
                                        Metadata& metadata);

} // namespace permafrost::formats
