// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/model_file.h"
#include "core/model/ffn_layer.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace permafrost::speed {

/// Feed-forward layers in the order in which a token meets them, with weights as they are stored.
struct FfnLayers {
    std::vector<model::FfnMatrices> layers;
    std::uint32_t of_model = 0; ///< layers of the whole model, of which `layers` may be the first few
    std::uint64_t other_weight_bytes =
        0; ///< what one token reads of the model beside these layers; 0: not known
    std::shared_ptr<const void> storage; ///< what the views point into

    std::uint64_t bytes() const; ///< weights of `layers`
    /// Bytes of the FFN over all bytes one token reads, 0 … 1; 1 when the rest is not known.
    double ffn_share() const;
};

/// The layers of a model. Errors: as model::read_model_config(); a layer without neurons.
Result<FfnLayers> layers_of(const formats::ModelFilePtr& file);

/// Sizes of a model, for layers of random weights.
struct ModelShape {
    std::string_view name;  ///< "phi3"
    std::string_view title; ///< "Phi-3-mini"
    std::uint32_t layers;
    std::uint32_t hidden, neurons;
    std::uint64_t
        other_weights; ///< that a token is multiplied with beside the FFN's: attention and output head; 0: not known
};
inline constexpr std::array model_shapes{ModelShape{"phi3", "Phi-3-mini", 32, 3072, 8192, 1'306'460'160},
                                         ModelShape{"qwen", "Qwen2.5-7B", 28, 3584, 18944, 1'367'080'960},
                                         ModelShape{"gemma", "Gemma-2-9b", 42, 3584, 14336, 2'767'192'064},
                                         ModelShape{"llama", "Llama-70b", 80, 8192, 28672, 13'130'268'672}};

/// Layers of random weights, so many that no cache holds them.
FfnLayers random_layers(const ModelShape& shape, tensor::ElementType type,
                        std::uint64_t at_least_bytes = std::uint64_t{512} << 20);

} // namespace permafrost::speed
