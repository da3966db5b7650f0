// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/model_file.h"
#include "core/formats/write_control.h"

#include <filesystem>

namespace permafrost::formats {

/// Writes the same metadata and the same tensor bytes in the container that the target's ending names: .gguf or .knot.
/// Tensors are copied piece by piece from the mapped source; a source in parts becomes one file. Masks that a source
/// carries beside the model ("saturation_maps") are not part of the model and stay behind.
/// Errors: another ending, the name of a part of a split model, the target is the source, a source without tensors, the
/// disk. Cancelled leaves no file.
Result<void> convert_model(const ModelFile& from, const std::filesystem::path& target,
                           const WriteControl& control = {});

} // namespace permafrost::formats
