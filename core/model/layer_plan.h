// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which tensors make up one layer: the list that a file is checked against and that weights are loaded by.
#pragma once

#include "core/formats/model_file.h"
#include "core/model/model_config.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace permafrost::model {

/// A tensor that gives `rows` rows to a matrix, or `rows` values to a vector.
struct TensorPart {
    std::string_view name; ///< after "blk.<layer>."
    std::uint64_t rows = 0;
    Presence presence = Presence::Always;
};

enum class MatrixRole : std::uint8_t { Qkv, AttentionOutput, GateUp, Down };
inline constexpr std::size_t matrix_roles = 4;

enum class VectorRole : std::uint8_t {
    AttentionNorm,
    QueryNorm,
    KeyNorm,
    QkvBias,
    AttentionOutputBias,
    PostAttentionNorm,
    FfnNorm,
    GateUpBias,
    DownBias,
    PostFfnNorm
};
inline constexpr std::size_t vector_roles = 10;

struct MatrixPlan {
    std::uint64_t columns = 0;
    std::vector<TensorPart> parts; ///< one below the other; empty: the layer has none
    std::uint64_t rows() const;
};

struct LayerPlan {
    std::array<MatrixPlan, matrix_roles> matrices;             ///< (MatrixRole)
    std::array<std::vector<TensorPart>, vector_roles> vectors; ///< (VectorRole) one after the other

    MatrixPlan& matrix(MatrixRole role) { return matrices[static_cast<std::size_t>(role)]; }
    std::vector<TensorPart>& vector(VectorRole role) { return vectors[static_cast<std::size_t>(role)]; }
};

/// "blk.3.attn_q.weight"
std::string layer_tensor_name(std::uint32_t layer, std::string_view name);

/// The file is asked whether the layer's Q, K and V are one tensor (attn_qkv) or three.
LayerPlan plan_layer(const formats::ModelFile& file, const ModelConfig& config, std::uint32_t layer);

/// Checks every tensor of the model and sums up the bytes one token reads. Returns what is wrong: all missing tensors, all
/// wrong shapes, all tensors that this family does not have (they would change the result); or nothing.
std::string check_tensors(const formats::ModelFile& file, ModelConfig& config);

} // namespace permafrost::model
