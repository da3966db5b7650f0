// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace permafrost::model {

/// What is applied to the gate before it is multiplied with up.
enum class GateActivation : std::uint8_t {
    Silu,    ///< x * sigmoid(x): SwiGLU
    GeluTanh ///< x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))): GeGLU of the Gemma family
};

} // namespace permafrost::model
