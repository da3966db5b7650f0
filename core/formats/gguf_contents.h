// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one GGUF file holds, before it is known whether it is a whole model.
#pragma once

#include "core/base/result.h"
#include "core/formats/metadata.h"
#include "core/tensor/tensor_view.h"

#include <optional>
#include <string>
#include <vector>

namespace permafrost::formats {

/// The keys split.no (counted from 0), split.count and split.tensors.count (of all parts together) that llama.cpp's
/// gguf-split writes into each part.
struct SplitKeys {
    std::uint64_t part = 0;
    std::uint64_t parts = 0;
    std::optional<std::uint64_t> tensors;

    /// gguf-split leaves a count of 0 in the file that it merges parts to.
    bool whole_model() const { return parts <= 1; }
};

struct GgufContents {
    Metadata metadata; ///< without the keys of `split`, which are about the container
    std::vector<tensor::TensorView> tensors;
    std::optional<SplitKeys> split; ///< where the file has split.count
};

/// Errors as read_gguf(), but a part of a model is welcome.
Result<GgufContents> parse_gguf(ByteSpan bytes, const std::string& location);

} // namespace permafrost::formats
