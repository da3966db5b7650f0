// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks that every container makes on its list of tensors, and what writers share.
#pragma once

#include "core/base/atomic_file.h"
#include "core/formats/outgoing_tensor.h"
#include "core/formats/write_control.h"
#include "core/tensor/tensor_view.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace permafrost::formats {

/// ggml's limit; llama.cpp reads no tensor with more.
inline constexpr std::size_t max_dimensions = 4;

/// A tensor's name for a message: quoted, cut to a readable length, without control characters.
std::string in_quotes(std::string_view name);

/// Bytes of a tensor. Errors: too many dimensions, an empty dimension, a product that overflows, rows that
/// are not whole blocks.
Result<std::uint64_t> tensor_size(std::string_view name, tensor::ElementType type,
                                  const std::vector<std::uint64_t>& shape);

/// Collects the tensors of a file, whose data lies in one region.
class TensorTable {
  public:
    TensorTable(std::string location, ByteSpan region, std::uint64_t alignment)
        : location_(std::move(location)), region_(region), alignment_(alignment) {}

    /// `offset` counts from the beginning of the region. Errors as tensor_size(), a name that was there
    /// before, an offset that is not aligned, data outside the region.
    Result<void> add(std::string name, tensor::ElementType type, std::vector<std::uint64_t> shape,
                     std::uint64_t offset);
    /// Errors: two tensors share bytes.
    Result<std::vector<tensor::TensorView>> finish();

  private:
    std::string location_;
    ByteSpan region_;
    std::uint64_t alignment_;
    std::vector<tensor::TensorView> tensors_;
    std::unordered_set<std::string> names_;
};

/// What a writer needs to know before it begins: sizes fit the shapes, names are unique.
Result<void> check_writable(const std::filesystem::path& target, const std::vector<OutgoingTensor>& tensors);

/// Appends the tensors' bytes, each followed by zero bytes up to a multiple of `alignment`.
Result<void> write_tensors(AtomicFile& file, const std::vector<OutgoingTensor>& tensors,
                           std::uint64_t alignment, const WriteControl& control);

} // namespace permafrost::formats
