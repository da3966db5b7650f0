// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace permafrost::cli {

/// What the environment says of the launcher (mpirun, mpiexec, srun) that started this process; one alone if there was none.
struct Launch {
    int rank = 0;
    int size = 1;
};
Launch read_launch();

} // namespace permafrost::cli
