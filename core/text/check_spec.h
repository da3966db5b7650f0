// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer.h"

namespace permafrost::text {

/// What every kind of tokenizer asks of a specification: lists that fit together, ids that exist.
Result<void> check_spec(const TokenizerSpec& spec);

} // namespace permafrost::text
