// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/model_file.h"
#include "core/text/tokenizer.h"

#include <memory>

namespace permafrost::model {

/// The tokenizer that the file carries (keys tokenizer.ggml.*). Errors: none in the file, a kind that is not known, lists
/// that do not fit together.
Result<std::shared_ptr<const text::Tokenizer>> read_tokenizer(const formats::ModelFile& file);

} // namespace permafrost::model
