// SPDX-License-Identifier: GPL-3.0-or-later
//
// GGUF, versions 2 and 3, little-endian:
//   "GGUF"  u32 version  u64 tensor count  u64 key count
//   keys:    string name, u32 value type, value       (string: u64 length + bytes; array: u32 element type, u64 count)
//   tensors: string name, u32 dimensions (at most 4), u64 sizes (contiguous dimension first), u32 type, u64 offset
//   padding to general.alignment (default 32), then the tensors' data; offsets count from there, each aligned.
// Source: gguf.h and gguf.cpp of llama.cpp. Every count and length is checked against the file's size before it is used.
#pragma once

#include "core/formats/model_file.h"
#include "core/formats/write_control.h"

namespace permafrost::formats {

/// Parses a mapped GGUF. `location` names the file in errors; `storage` keeps `bytes` alive.
Result<ModelFilePtr> read_gguf(ByteSpan bytes, std::string location, std::shared_ptr<const void> storage);

/// Writes a GGUF v3 with these keys and tensors (bytes copied as they are), atomically, tensors packed in the order
/// given as llama.cpp wants them; general.alignment is obeyed when the keys have it.
/// Errors: a tensor whose bytes do not fit its shape, two of one name, the disk.
Result<void> write_gguf(const std::filesystem::path& target, const Metadata& metadata,
                        const std::vector<tensor::TensorView>& tensors, const WriteControl& control = {});

} // namespace permafrost::formats
