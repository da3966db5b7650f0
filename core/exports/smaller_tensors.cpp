// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/smaller_tensors.h"

#include "core/tensor/decode.h"
#include "core/tensor/encode.h"

#include <memory>

namespace permafrost::exports {
namespace {

using tensor::ElementType;
using Indices = std::shared_ptr<const std::vector<std::uint32_t>>;

void append_as(ElementType type, const std::vector<float>& values, std::vector<std::byte>& bytes) {
    const auto& layout = tensor::info(type);
    const auto begin = bytes.size();
    bytes.resize(begin + values.size() / layout.block_elements * layout.block_bytes);
    tensor::encode(type, values.data(), bytes.data() + begin, values.size());
}

formats::OutgoingTensor chosen_rows(const tensor::TensorView& view, Indices rows) {
    formats::OutgoingTensor tensor{view};
    tensor.view.bytes = {};
    tensor.view.shape.front() = rows->size();
    tensor.make_rows = [view, rows = std::move(rows)](auto first, auto count, auto& bytes) {
        for (std::uint64_t i = first; i < first + count; ++i) {
            const auto row = view.row((*rows)[i]);
            bytes.insert(bytes.end(), row.begin(), row.end());
        }
    };
    return tensor;
}

formats::OutgoingTensor chosen_columns(const tensor::TensorView& view, Indices columns, ElementType type) {
    formats::OutgoingTensor tensor{view};
    tensor.view.bytes = {};
    tensor.view.type = type;
    tensor.view.shape.back() = columns->size();
    tensor.make_rows = [view, type, columns = std::move(columns)](auto first, auto count, auto& bytes) {
        std::vector<float> whole(view.columns()), chosen(columns->size());
        for (std::uint64_t row = first; row < first + count; ++row) {
            tensor::decode_rows(view, row, 1, whole.data());
            for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = whole[(*columns)[i]];
            append_as(type, chosen, bytes);
        }
    };
    return tensor;
}

Indices indices_of(NeuronTensor kind, const std::vector<std::uint32_t>& kept, std::uint64_t rows) {
    auto indices = kept;
    if (kind == NeuronTensor::FusedRows)
        for (const auto neuron : kept) indices.push_back(static_cast<std::uint32_t>(rows / 2 + neuron));
    return std::make_shared<const std::vector<std::uint32_t>>(std::move(indices));
}

ElementType type_of_columns(const tensor::TensorView& view, const std::optional<ElementType>& wish) {
    if (wish) return *wish;
    const bool plain = tensor::info(view.type).block_elements == 1;
    return plain ? view.type : ElementType::Q8_0;
}

} // namespace

formats::OutgoingTensor without_neurons(const tensor::TensorView& view, NeuronTensor kind,
                                        const LayerRemoval& layer, const std::optional<ElementType>& type) {
    const auto places =
        view.shape.size() == 1 || kind == NeuronTensor::Columns ? view.columns() : view.rows();
    const auto indices = indices_of(kind, layer.kept, places);
    if (kind == NeuronTensor::Columns) {
        if (!type && indices->size() == places) return {view};
        return chosen_columns(view, indices, type_of_columns(view, type));
    }
    if (indices->size() == places) return {view};
    if (view.shape.size() == 1) return chosen_columns(view, indices, view.type);
    return chosen_rows(view, indices);
}

formats::OutgoingTensor vector_tensor(std::string name, std::vector<float> values, ElementType type) {
    formats::OutgoingTensor tensor{{std::move(name), type, {values.size()}, {}}};
    tensor.make_rows = [values = std::move(values), type](auto, auto, auto& bytes) {
        append_as(type, values, bytes);
    };
    return tensor;
}

std::vector<float> values_of(const tensor::TensorView& view) {
    std::vector<float> values(view.elements());
    tensor::decode(view.type, view.bytes.data(), values.data(), values.size());
    return values;
}

} // namespace permafrost::exports
