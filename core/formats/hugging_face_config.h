// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/hugging_face_families.h"
#include "core/formats/metadata.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace permafrost::formats {

/// What config.json of a Hugging Face folder says about a model.
struct HuggingFaceConfig {
    const HuggingFaceFamily* family = nullptr;
    Metadata metadata; ///< under GGUF's key names
    std::uint32_t head_size = 0;
    std::uint32_t vocabulary = 0;
    bool tied_output = false;
    // Divisors of the rotary frequencies, (rotated size / 2) each, or empty.
    std::vector<float> rotary_factors;                     ///< Llama 3: tensor rope_freqs
    std::vector<float> short_factors, long_factors;        ///< LongRoPE: tensors rope_factors_short and _long
    std::optional<bool> attention_bias, feed_forward_bias; ///< whether there are biases, where it says so
};

/// `where` names the file in errors. Errors: a class, an activation function, a kind of rotary
/// scaling or of attention that cannot be run, quantised weights, keys that are missing or out of range.
Result<HuggingFaceConfig> read_hugging_face_config(const nlohmann::json& config, const std::string& where);

} // namespace permafrost::formats
