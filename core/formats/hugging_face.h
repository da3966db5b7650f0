// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model as transformers saves it: a folder with config.json, tokenizer.json and the weights as model.safetensors, or as
// several .safetensors that model.safetensors.index.json lists. It is read as if it had been converted to GGUF: the same
// names of keys and tensors, Q and K rows in GGUF's order, Gemma's norms with the one added. Matrices stay in the mapped
// files; vectors become f32 in memory.
#pragma once

#include "core/formats/model_file.h"

#include <filesystem>

namespace permafrost::formats {

/// Opens the folder. Errors: config.json or weights are missing or of a kind that cannot be run, an index that names files
/// outside the folder or tensors that are not there, a tensor twice, a type other than F32, F16 and BF16, a configuration
/// that contradicts the tensors, a tokenizer that cannot be read.
Result<ModelFilePtr> open_hugging_face(const std::filesystem::path& folder);

/// Whether a folder has a config.json.
bool is_hugging_face_folder(const std::filesystem::path& folder);

} // namespace permafrost::formats
