// SPDX-License-Identifier: GPL-3.0-or-later
//
// The little of MPI that Ranks is made of. Where MPI was not there when the program was built, `available` is false and nothing
// else may be called. All from one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace permafrost::cli::mpi {

extern const bool available;

void start();
int rank();
int size();
/// The messages of all ranks on this node, each of the same length, in order of rank.
std::vector<std::string> exchange_on_node(std::string_view mine);

/// Returns when `bytes` may go; short ones go at once, long ones when the other rank receives them.
void send(int to, int kind, std::string_view bytes);
/// The next message of this kind (from any rank: -1) and who sent it, if one has come.
std::optional<std::pair<int, std::string>> take(int from, int kind);
bool has_come(int from, int kind);

void finish();
[[noreturn]] void abort(int exit_code);

} // namespace permafrost::cli::mpi
