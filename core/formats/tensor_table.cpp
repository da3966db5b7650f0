// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/tensor_table.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace permafrost::formats {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{8} << 20;

std::string text_of_shape(const std::vector<std::uint64_t>& shape) {
    std::string text;
    for (const auto extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
    return "[" + text + "]";
}

Result<void> write_zeros(AtomicFile& file, std::uint64_t count) {
    constexpr std::byte zeros[4096] = {};
    while (count > 0) {
        const auto part = std::min<std::uint64_t>(count, sizeof zeros);
        PERMAFROST_CHECK(file.write(ByteSpan(zeros, part)));
        count -= part;
    }
    return {};
}

void gather_rows(const tensor::TensorView& view, std::uint64_t first, std::uint64_t count,
                 std::vector<std::byte>& rows) {
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto row = view.row(first + i);
        rows.insert(rows.end(), row.begin(), row.end());
    }
}

} // namespace

std::string in_quotes(std::string_view name) {
    constexpr std::size_t longest = 80;
    std::string text = "'";
    for (const char c : name.substr(0, longest)) text += static_cast<unsigned char>(c) < 32 ? '?' : c;
    if (name.size() > longest) text += "…";
    return text + "'";
}

Result<std::uint64_t> tensor_size(std::string_view name, tensor::ElementType type,
                                  const std::vector<std::uint64_t>& shape) {
    const auto refused = [&](const std::string& why) {
        return Error{"tensor " + in_quotes(name) + " " + why};
    };
    if (shape.size() > max_dimensions)
        return refused("has " + std::to_string(shape.size()) + " dimensions, at most 4 are allowed");
    // One bit is kept free, so that an offset can be added without overflow.
    constexpr std::uint64_t limit = std::numeric_limits<std::int64_t>::max();
    std::uint64_t elements = 1;
    for (const auto extent : shape) {
        if (extent == 0) return refused("is empty: its shape is " + text_of_shape(shape));
        if (extent > limit / elements)
            return refused("is impossibly large: its shape is " + text_of_shape(shape));
        elements *= extent;
    }
    const auto& layout = tensor::info(type);
    if ((shape.empty() ? 1 : shape.back()) % layout.block_elements != 0)
        return refused("has rows that are not whole blocks: shape " + text_of_shape(shape) + ", " +
                       std::string(layout.name) + " packs " + std::to_string(layout.block_elements) +
                       " elements a block");
    const auto blocks = elements / layout.block_elements;
    if (blocks > limit / layout.block_bytes)
        return refused("is impossibly large: its shape is " + text_of_shape(shape));
    return blocks * layout.block_bytes;
}

Result<void> TensorTable::add(std::string name, tensor::ElementType type, std::vector<std::uint64_t> shape,
                              std::uint64_t offset) {
    const auto refused = [&](const std::string& why) {
        return Error{location_ + ": tensor " + in_quotes(name) + " " + why};
    };
    auto size = tensor_size(name, type, shape);
    if (!size.ok()) return Error{location_ + ": " + size.message()};
    if (offset % alignment_ != 0)
        return refused("begins at offset " + std::to_string(offset) +
                       ", which is not a multiple of the alignment " + std::to_string(alignment_));
    if (offset > region_.size() || size.value() > region_.size() - offset)
        return refused("lies outside the file: it needs " + std::to_string(size.value()) +
                       " bytes at offset " + std::to_string(offset) + " of the data, which has " +
                       std::to_string(region_.size()) + " bytes; the file is truncated or damaged");
    if (!names_.insert(name).second) return refused("appears twice");
    tensors_.push_back(
        {std::move(name), type, std::move(shape),
         region_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size.value()))});
    return {};
}

Result<std::vector<tensor::TensorView>> TensorTable::finish() {
    std::vector<std::size_t> order(tensors_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return tensors_[a].bytes.data() < tensors_[b].bytes.data(); });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const auto& before = tensors_[order[i - 1]];
        const auto& after = tensors_[order[i]];
        if (before.bytes.data() + before.bytes.size() > after.bytes.data())
            return Error{location_ + ": tensors " + in_quotes(before.name) + " and " + in_quotes(after.name) +
                         " overlap; the file is damaged"};
    }
    return std::move(tensors_);
}

std::vector<OutgoingTensor> outgoing(const std::vector<tensor::TensorView>& views) {
    std::vector<OutgoingTensor> tensors;
    tensors.reserve(views.size());
    for (const auto& view : views) tensors.push_back({view});
    return tensors;
}

Result<void> check_writable(const std::filesystem::path& target, const std::vector<OutgoingTensor>& tensors) {
    std::unordered_set<std::string_view> names;
    for (const auto& tensor : tensors) {
        const auto& view = tensor.view;
        const auto size = tensor_size(view.name, view.type, view.shape);
        if (!size.ok()) return Error{"cannot write " + target.string() + ": " + size.message()};
        if (!tensor.make_rows && size.value() != view.bytes.size())
            return Error{"cannot write " + target.string() + ": tensor " + in_quotes(view.name) + " has " +
                         std::to_string(view.bytes.size()) + " bytes, its shape needs " +
                         std::to_string(size.value())};
        if (!names.insert(view.name).second)
            return Error{"cannot write " + target.string() + ": tensor " + in_quotes(view.name) +
                         " appears twice"};
    }
    return {};
}

Result<void> write_tensors(AtomicFile& file, const std::vector<OutgoingTensor>& tensors,
                           std::uint64_t alignment, const WriteControl& control) {
    std::uint64_t total = 0;
    for (const auto& tensor : tensors) total += tensor.size();
    std::uint64_t done = 0;
    std::vector<std::byte> rows;
    for (const auto& tensor : tensors) {
        const auto& view = tensor.view;
        const auto size = tensor.size();
        // Rows that are made, or in another order than in the file, are gathered first.
        const bool gathered = tensor.make_rows || view.interleaves_heads_of != 0;
        const auto row_bytes = gathered ? view.row_bytes() : 1;
        const auto step = std::max<std::uint64_t>(piece_bytes / row_bytes, 1) * row_bytes;
        for (std::uint64_t begin = 0; begin < size; begin += step) {
            if (control.stop.stop_requested()) return Cancelled{};
            const auto count = std::min<std::uint64_t>(step, size - begin);
            rows.clear();
            if (tensor.make_rows)
                tensor.make_rows(begin / row_bytes, count / row_bytes, rows);
            else if (gathered)
                gather_rows(view, begin / row_bytes, count / row_bytes, rows);
            PERMAFROST_CHECK(file.write(gathered ? ByteSpan(rows) : view.bytes.subspan(begin, count)));
            done += count;
            if (control.progress) control.progress(done, total);
        }
        PERMAFROST_CHECK(write_zeros(file, align_up(size, alignment) - size));
    }
    return {};
}

} // namespace permafrost::formats
