// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/freeze_rule.h"

#include <string>
#include <vector>

namespace permafrost::masks {

/// The words after which `permafrost-cli mask PROFILE` uses this rule: {"--rule", "impact:0.25", "--no-guard"}. Numbers that are as they
/// are by default are left out.
std::vector<std::string> rule_arguments(const FreezeRule& rule);

/// Words as a shell reads them: those with other characters than letters, digits and ._-/:=+,% in quotes.
std::string shell_line(const std::vector<std::string>& words);

} // namespace permafrost::masks
