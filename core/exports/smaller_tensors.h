// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exports/removal.h"
#include "core/formats/outgoing_tensor.h"

#include <optional>
#include <string_view>

namespace permafrost::exports {

/// The tensors of a layer that have a row or a column for each neuron.
enum class NeuronTensor : std::uint8_t {
    Rows,      ///< gate, up and their biases
    FusedRows, ///< gate rows, then up rows
    Columns    ///< down
};

/// The tensor without the removed neurons, under the same name; made from `view` when it is written. Columns of a layer that is as
/// wide as before are copied as they are unless `type` says otherwise.
formats::OutgoingTensor without_neurons(const tensor::TensorView& view, NeuronTensor kind,
                                        const LayerRemoval& layer,
                                        const std::optional<tensor::ElementType>& type);

/// A vector of numbers as a tensor of that type.
formats::OutgoingTensor vector_tensor(std::string name, std::vector<float> values, tensor::ElementType type);

/// Numbers of a tensor that is a vector.
std::vector<float> values_of(const tensor::TensorView& view);

/// As write_smaller_model(), by container.
Result<void> write_smaller_gguf(const formats::ModelFile& model, const RemovalPlan& plan,
                                const std::filesystem::path& target, const formats::WriteControl& control);
Result<void> write_smaller_folder(const formats::ModelFile& model, const RemovalPlan& plan,
                                  const std::filesystem::path& target, const formats::WriteControl& control);

} // namespace permafrost::exports
