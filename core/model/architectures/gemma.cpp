// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architectures/families.h"

namespace permafrost::model::families {

constinit const Architecture gemma{
    .name = "gemma", .activation = GateActivation::GeluTanh, .scaled_embedding = true};

} // namespace permafrost::model::families
