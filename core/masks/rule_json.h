// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/masks/freeze_rule.h"

#include <nlohmann/json.hpp>

namespace permafrost::masks {

/// A rule as it is kept in sessions and presets: "rule" as rule_name() writes it, "variance_threshold",
/// "gradient_threshold", "activation_threshold", "inactive_share", "guard", "guard_ratio", and "layers" when limited.
nlohmann::ordered_json rule_to_json(const FreezeRule& rule);

/// Fields that are absent have the default rule's values; unknown ones are ignored. Errors: a field of another type, a value
/// that validate() refuses.
Result<FreezeRule> rule_from_json(const nlohmann::json& json);

} // namespace permafrost::masks
