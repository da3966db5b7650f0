// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architectures/families.h"

namespace permafrost::model::families {

constinit const Architecture gemma3{.name = "gemma3",
                                    .activation = GateActivation::GeluTanh,
                                    .query_key_norms = true,
                                    .post_norms = true,
                                    .scaled_embedding = true,
                                    .window_period = 6,
                                    .local_rotary_base = 10000.0,
                                    .layers_with_hidden_scale = 62};

} // namespace permafrost::model::families
