// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/launcher.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace permafrost::cli {
namespace {

struct Variables {
    const char* rank;
    const char* size;
};
// Open MPI; MPICH, Intel MPI and Slurm's PMI; MVAPICH; PMIx under Slurm, which leaves the size to Slurm.
constexpr Variables launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                   {"PMI_RANK", "PMI_SIZE"},
                                   {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                                   {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};

std::optional<int> number_of(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) return std::nullopt;
    const std::string_view digits(text);
    int number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (read.ec != std::errc{} || number < 0) return std::nullopt;
    return number;
}

} // namespace

Launch read_launch() {
    for (const auto& variables : launchers) {
        const auto rank = number_of(variables.rank);
        const auto size = number_of(variables.size);
        if (rank && size && *rank < *size) return {*rank, *size};
    }
    return {};
}

} // namespace permafrost::cli
