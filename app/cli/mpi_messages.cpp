// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mpi_messages.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#ifdef PERMAFROST_WITH_MPI
#include <mpi.h>

namespace permafrost::cli::mpi {
namespace {

// MPI counts bytes in an int.
constexpr std::size_t longest_piece = std::size_t{1} << 30;

int source(int from) { return from < 0 ? MPI_ANY_SOURCE : from; }

} // namespace

const bool available = true;

// MPI's own errors end the program, which is its default: what could be done without the other ranks?
void start() {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
}

int rank() {
    int number = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    return number;
}

int size() {
    int number = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    return number;
}

std::vector<std::string> exchange_on_node(std::string_view mine) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &node);
    int ranks = 1;
    MPI_Comm_size(node, &ranks);
    const auto length = static_cast<int>(mine.size());
    std::string all(mine.size() * static_cast<std::size_t>(ranks), '\0');
    MPI_Allgather(mine.data(), length, MPI_BYTE, all.data(), length, MPI_BYTE, node);
    MPI_Comm_free(&node);
    std::vector<std::string> messages;
    for (std::size_t at = 0; at < all.size(); at += mine.size())
        messages.push_back(all.substr(at, mine.size()));
    return messages;
}

// The length goes ahead in a message of its own; messages between two ranks keep their order.
void send(int to, int kind, std::string_view bytes) {
    const std::uint64_t length = bytes.size();
    MPI_Send(&length, sizeof length, MPI_BYTE, to, kind, MPI_COMM_WORLD);
    while (!bytes.empty()) {
        const auto piece = bytes.substr(0, longest_piece);
        MPI_Send(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, kind, MPI_COMM_WORLD);
        bytes.remove_prefix(piece.size());
    }
}

std::optional<std::pair<int, std::string>> take(int from, int kind) {
    int come = 0;
    MPI_Status status;
    MPI_Iprobe(source(from), kind, MPI_COMM_WORLD, &come, &status);
    if (come == 0) return std::nullopt;
    const int sender = status.MPI_SOURCE;
    std::uint64_t length = 0;
    MPI_Recv(&length, sizeof length, MPI_BYTE, sender, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::string bytes(length, '\0');
    for (std::size_t at = 0; at < bytes.size(); at += longest_piece)
        MPI_Recv(bytes.data() + at, static_cast<int>(std::min(longest_piece, bytes.size() - at)), MPI_BYTE,
                 sender, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return std::pair(sender, std::move(bytes));
}

bool has_come(int from, int kind) {
    int come = 0;
    MPI_Iprobe(source(from), kind, MPI_COMM_WORLD, &come, MPI_STATUS_IGNORE);
    return come != 0;
}

void finish() { MPI_Finalize(); }

void abort(int exit_code) {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
}

} // namespace permafrost::cli::mpi

#else

namespace permafrost::cli::mpi {

const bool available = false;
void start() {}
int rank() { return 0; }
int size() { return 1; }
std::vector<std::string> exchange_on_node(std::string_view mine) { return {std::string(mine)}; }
void send(int, int, std::string_view) {}
std::optional<std::pair<int, std::string>> take(int, int) { return std::nullopt; }
bool has_come(int, int) { return false; }
void finish() {}
void abort(int exit_code) { std::_Exit(exit_code); }

} // namespace permafrost::cli::mpi

#endif
