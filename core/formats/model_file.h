// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/formats/metadata.h"
#include "core/tensor/tensor_view.h"

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace permafrost::formats {

enum class FileFormat { Gguf, Knot, Safetensors };
std::string_view name_of(FileFormat format);

/// A model file whatever its format: metadata under GGUF's key names, and tensors by name under GGUF's tensor names.
/// Tensor bytes stay in the mapped file. Immutable once opened; safe to read from many threads.
class ModelFile {
  public:
    ModelFile(FileFormat format, std::string location, Metadata metadata,
              std::vector<tensor::TensorView> tensors, std::string header_sha256,
              std::shared_ptr<const void> storage);

    FileFormat format() const { return format_; }
    /// The path it was opened from, or "demo".
    const std::string& location() const { return location_; }
    const Metadata& metadata() const { return metadata_; }
    const std::vector<tensor::TensorView>& tensors() const { return tensors_; }
    const tensor::TensorView* find(std::string_view name) const;
    /// SHA-256 over metadata and tensor table in a form that does not depend on the container nor on the order of keys
    /// and tensors, so that a model converted from GGUF to .knot keeps its identity. Left out are "general.alignment",
    /// which is about the container, and keys that begin with "permafrost.", which this program adds (masks).
    const std::string& header_sha256() const { return header_sha256_; }

  private:
    FileFormat format_;
    std::string location_;
    Metadata metadata_;
    std::vector<tensor::TensorView> tensors_;
    std::unordered_map<std::string, std::size_t> index_;
    std::string header_sha256_;
    std::shared_ptr<const void> storage_;
};

using ModelFilePtr = std::shared_ptr<const ModelFile>;

/// Opens a .gguf, .knot or .rknot by its magic bytes, a Hugging Face folder or a .safetensors in one (hugging_face.h), or the
/// built-in demo model for the name "demo".
/// Errors name the file and say what is missing, truncated, lying about its size, overlapping or unknown.
Result<ModelFilePtr> open_model_file(const std::string& location);

/// Identity of a model as described at ModelFile::header_sha256().
std::string header_identity(const Metadata& metadata, const std::vector<tensor::TensorView>& tensors);

} // namespace permafrost::formats
