// SPDX-License-Identifier: GPL-3.0-or-later
//
// safetensors: u64 length of a JSON object, the object, then the tensors' data. The object maps each tensor's name to
// {"dtype": "F16", "shape": [rows, columns], "data_offsets": [begin, end]}, offsets from the beginning of the data, and
// "__metadata__" to strings. The tensors fill the data without gaps. Source: the format's description in the README of
// huggingface/safetensors.
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/formats/outgoing_tensor.h"
#include "core/formats/write_control.h"
#include "core/tensor/element_type.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace permafrost::formats {

/// A tensor of any type, also of those that no model here is read from.
struct SafetensorsEntry {
    std::string name;
    std::string type; ///< as in the file: "F32", "F16", "BF16", "I64", …
    std::vector<std::uint64_t> shape;
    ByteSpan bytes;
};

struct SafetensorsContents {
    std::vector<SafetensorsEntry> tensors; ///< by name
    std::map<std::string, std::string> metadata;
};

/// `location` names the file in errors: a header that is truncated or no JSON, a name that is there twice, bytes that do not
/// fit a shape, lie outside the file, overlap or leave gaps.
Result<SafetensorsContents> parse_safetensors(ByteSpan bytes, const std::string& location);

/// The .safetensors in a folder, by name.
std::vector<std::filesystem::path> safetensors_in(const std::filesystem::path& folder);

/// Writes `source` again with other texts in "__metadata__": those of `changes`, where an empty text removes the key. The tensors' bytes
/// and their entries stay as they are. Atomic. Errors: as parse_safetensors(), the target is the source, the disk. Cancelled.
Result<void> change_safetensors_metadata(const std::filesystem::path& source,
                                         const std::map<std::string, std::string>& changes,
                                         const std::filesystem::path& target,
                                         const WriteControl& control = {});

/// Writes a file of these tensors (F32, F16, BF16), in their order. Atomic. Errors: another type, a tensor whose bytes do not fit its
/// shape, two of one name, the disk. Cancelled.
Result<void> write_safetensors(const std::filesystem::path& target,
                               const std::map<std::string, std::string>& metadata,
                               const std::vector<OutgoingTensor>& tensors, const WriteControl& control = {});

/// F32, F16 and BF16; empty for others.
std::optional<tensor::ElementType> element_type_of(std::string_view safetensors_type);

} // namespace permafrost::formats
