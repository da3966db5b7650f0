// SPDX-License-Identifier: GPL-3.0-or-later
//
// .knot, version 1.0: a model made to be mapped.
//   offset 0   "KNOT" (4 bytes)
//   offset 4   u16 major version, u16 minor version. A reader refuses another major; newer minors only add header keys.
//   offset 8   u64 length of the header in bytes
//   offset 16  header: UTF-8 JSON, one object
//   then zero bytes up to the next multiple of 64: the data region; tensors' offsets count from its beginning and are
//   multiples of 64, with zero bytes between tensors.
// Header keys:
//   "metadata": array of [key, type, value]; keys are GGUF's ("general.architecture", "tokenizer.ggml.tokens", …), type
//               is "u8" … "f64", "bool", "string", or "array:<type>"; non-finite floats are the strings "inf", "-inf", "nan".
//               A string that is not valid UTF-8 (tokens of some vocabularies) is the object {"base64": "…"} of its bytes;
//               that holds for keys, values and names of tensors.
//   "tensors":  array of {"name", "type" ("Q4_K"), "shape" (outermost first), "offset", "size"}; absent or empty in a file
//               that only carries masks.
//   "saturation_maps": optional; what serde_json writes for the seeds' SaturationMaps. A file that has it is called .rknot.
// Unknown keys are kept out of the way: readers ignore them.
#pragma once

#include "core/formats/model_file.h"
#include "core/formats/write_control.h"

namespace permafrost::formats {

/// Headers are parsed in memory, so their size is bounded; the largest vocabularies in use need some 30 MB.
inline constexpr std::uint64_t knot_header_limit = std::uint64_t{128} << 20;

/// Parses a mapped .knot or .rknot; arguments as read_gguf().
Result<ModelFilePtr> read_knot(ByteSpan bytes, std::string location, std::shared_ptr<const void> storage);

/// Writes atomically. `saturation_maps_json` is put under "saturation_maps" as it is unless empty.
/// Errors: as write_gguf(); saturation maps that are not JSON; a header above knot_header_limit.
Result<void> write_knot(const std::filesystem::path& target, const Metadata& metadata,
                        const std::vector<tensor::TensorView>& tensors,
                        const std::string& saturation_maps_json = {}, const WriteControl& control = {});

/// The header's "saturation_maps" as JSON text, or an empty string when it has none.
Result<std::string> read_saturation_maps(const std::filesystem::path& path);

} // namespace permafrost::formats
