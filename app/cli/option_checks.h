// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks of option values while the command line is read, so that a value that makes no sense is wrong usage (exit
// code 2) and costs no work.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace permafrost::cli {

/// A whole number in decimal digits from `least` to `most`; without `most`, any that is large enough.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most = UINT64_MAX);
/// A finite number from 0 up, to `most` at most.
CLI::Validator number_up_to(double most);
/// I/N with I from 1 to N.
CLI::Validator shard();
/// NAME=FILE
CLI::Validator domain_file();
/// A freeze rule, as masks::parse_rule() reads it.
CLI::Validator freeze_rule();
/// Layers, as masks::parse_layers() reads them.
CLI::Validator layer_range();

} // namespace permafrost::cli
