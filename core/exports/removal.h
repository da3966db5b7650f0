// SPDX-License-Identifier: GPL-3.0-or-later
//
// Physical removal: a smaller model without the frozen neurons. Rows of the gate and up matrices are copied, columns of the down
// matrix re-quantised, and the neurons' means folded into a bias of the down matrix where they are kept:
//   bias = sum over removed neurons of W_down[:, neuron] * value(neuron)
// The smaller model computes what the masked one does, up to the rounding of the down matrix.
#pragma once

#include "core/base/result.h"
#include "core/formats/model_file.h"
#include "core/formats/write_control.h"
#include "core/profile/profile.h"
#include "core/quality/evaluation.h"
#include "core/tensor/element_type.h"
#include "core/text/corpus.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace permafrost::exports {

enum class Widths : std::uint8_t {
    Auto,     ///< PerLayer where the model's graph allows it, else Equal
    PerLayer, ///< each layer its own: the model becomes "deci", Llama with layers of different shape
    Equal     ///< all layers as wide as the widest that is left, which any program loads
};

struct RemovalSettings {
    Widths widths = Widths::Auto;
    /// Of the down matrices; empty: as they are where they are F32, F16 or BF16, else Q8_0.
    std::optional<tensor::ElementType> down_type;
    /// Widths are rounded up to a multiple of this, so that rows of the down matrix are whole blocks; some frozen neurons stay then.
    std::uint32_t multiple = 32;
};

/// What a removal comes to, known without reading any weight.
struct RemovalOutline {
    std::string architecture;          ///< of the smaller model
    std::vector<std::uint32_t> widths; ///< (layer)
    std::uint64_t weight_bytes = 0;    ///< of all tensors, biases for means aside
};

/// Errors: `frozen` does not fit the model; means that the smaller model has no bias for; widths per layer that its graph has no
/// place for; a type that is not written, a multiple that is not of whole blocks.
Result<RemovalOutline> outline_removal(const formats::ModelFile& model, const quality::MaskedModel& frozen,
                                       const RemovalSettings& settings);

struct LayerRemoval {
    std::vector<std::uint32_t> kept; ///< ascending
    std::vector<float> bias;         ///< (hidden) what the removed neurons add at every token; empty: nothing
};

/// What will be removed.
struct RemovalPlan {
    std::string architecture; ///< of the smaller model
    std::vector<LayerRemoval> layers;
    quality::MaskedModel removed; ///< the variant of the original that the smaller model computes
    std::optional<tensor::ElementType> down_type;
    std::uint64_t neurons = 0, frozen = 0;

    std::uint64_t removed_neurons() const;
    std::vector<std::uint32_t> widths() const; ///< (layer)
};

/// Of the frozen neurons that stay for whole blocks those matter most: by their impact in `profile`, without one by the norm of
/// their down columns. A model of safetensors keeps its architecture and gets equal widths.
/// Errors: as outline_removal(); a profile of another model.
Result<RemovalPlan> plan_removal(const formats::ModelFile& model, const quality::MaskedModel& frozen,
                                 const RemovalSettings& settings, const profile::Profile* profile = nullptr);

/// Writes the smaller model: a .gguf, or from a model of safetensors a folder with config.json and tokenizer as they were and the
/// new width. Errors: a target that exists as a folder, the model itself, the disk. Cancelled leaves nothing.
Result<void> write_smaller_model(const formats::ModelFile& model, const RemovalPlan& plan,
                                 const std::filesystem::path& target,
                                 const formats::WriteControl& control = {});

/// What the smaller model and the masked original make of the same text.
struct RemovalCheck {
    std::uint64_t tokens = 0;
    double dense_perplexity = 1, masked_perplexity = 1, smaller_perplexity = 1;
    double ratio() const { return smaller_perplexity / masked_perplexity; }
};

struct RemovalObserver {
    std::function<void(double share)> writing;
    std::function<void(double share)> evaluating;
};

/// Writes the smaller model beside `target`, opens it again, evaluates it and the masked original on `corpus`, and only moves it to
/// `target` when their perplexities differ by no more than `most_difference` (a share). Errors: as above, and that difference.
Result<RemovalCheck> remove_neurons(const formats::ModelFilePtr& model, const RemovalPlan& plan,
                                    const std::filesystem::path& target, const text::Corpus& corpus,
                                    const quality::EvaluationSettings& settings, double most_difference,
                                    const RemovalObserver& observer = {}, const std::stop_token& stop = {});

} // namespace permafrost::exports
