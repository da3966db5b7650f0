// SPDX-License-Identifier: GPL-3.0-or-later
//
// GGUF, versions 2 and 3, little-endian:
//   "GGUF"  u32 version  u64 tensor count  u64 key count
//   keys:    string name, u32 value type, value       (string: u64 length + bytes; array: u32 element type, u64 count)
//   tensors: string name, u32 dimensions (at most 4), u64 sizes (contiguous dimension first), u32 type, u64 offset
//   padding to general.alignment (default 32), then the tensors' data; offsets count from there, each aligned.
// A model may be split in files NAME-00001-of-0000N.gguf, each a GGUF with the keys split.no (from 0), split.count and
// split.tensors.count; all other keys are in the first, tensors in any.
// Source: gguf.h, gguf.cpp and gguf-split.cpp of llama.cpp. Every count and length is checked against the file's size before it is used.
#pragma once

#include "core/formats/model_file.h"
#include "core/formats/outgoing_tensor.h"
#include "core/formats/write_control.h"

namespace permafrost::formats {

/// Opens a mapped GGUF, and when it is a part of a split model, any of them, all parts beside it as one model, whose
/// location is that of the first. The keys split.* are left out, so that the model is the same as before it was split.
/// Errors besides those of the files: a missing part, parts that contradict each other, a tensor in two parts.
Result<ModelFilePtr> open_gguf(const std::string& location, std::shared_ptr<const MappedFile> file);

/// Whether the name ends as that of a part, "-00001-of-00003.gguf".
bool named_as_gguf_part(const std::filesystem::path& path);

/// Parses a mapped GGUF that is a whole model. `location` names the file in errors; `storage` keeps `bytes` alive.
Result<ModelFilePtr> read_gguf(ByteSpan bytes, std::string location, std::shared_ptr<const void> storage);

/// Writes a GGUF v3 with these keys and tensors (bytes copied as they are), atomically, tensors packed in the order
/// given as llama.cpp wants them; general.alignment is obeyed when the keys have it.
/// Errors: a tensor whose bytes do not fit its shape, two of one name, the disk.
Result<void> write_gguf(const std::filesystem::path& target, const Metadata& metadata,
                        const std::vector<OutgoingTensor>& tensors, const WriteControl& control = {});
Result<void> write_gguf(const std::filesystem::path& target, const Metadata& metadata,
                        const std::vector<tensor::TensorView>& tensors, const WriteControl& control = {});

} // namespace permafrost::formats
