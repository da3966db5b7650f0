// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/console.h"

namespace permafrost::cli {

void add_profile_command(Commands& commands);
void add_mask_command(Commands& commands);
void add_inspect_command(Commands& commands);
void add_convert_command(Commands& commands);
void add_merge_command(Commands& commands);
void add_encode_commands(Commands& commands);
void add_kit_command(Commands& commands);
void add_prune_command(Commands& commands);
void add_eval_command(Commands& commands);
void add_sweep_command(Commands& commands);
void add_plan_command(Commands& commands);
void add_bench_command(Commands& commands);
/// The seeds' two programs; also reached by calling the program under their names.
void add_seed_commands(Commands& commands);

} // namespace permafrost::cli
