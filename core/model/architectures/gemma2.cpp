// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architectures/families.h"

namespace permafrost::model::families {

constinit const Architecture gemma2{.name = "gemma2",
                                    .activation = GateActivation::GeluTanh,
                                    .post_norms = true,
                                    .scaled_embedding = true,
                                    .window_period = 2,
                                    .default_window = 4096,
                                    .default_attention_softcap = 50.0f,
                                    .default_final_softcap = 30.0f,
                                    .layers_with_hidden_scale = 46};

} // namespace permafrost::model::families
