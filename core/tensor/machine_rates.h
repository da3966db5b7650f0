// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/thread_pool.h"

#include <cstddef>

namespace permafrost::tensor {

/// Sizes of the product that stands for the machine's own rate.
struct ProductShape {
    std::size_t rows = 2048;
    std::size_t inner = 576;
    std::size_t columns = 1536;
};

/// Rate of f32 matrix products x * w^T on this machine right now, w packed beforehand as a layer's weights are and x packed
/// each time, all threads sharing one product by output columns: the median of `repeats` runs after a warm-up, in 10^9 floating-point operations a second.
double measure_product_gflops(ThreadPool& pool, const ProductShape& shape = {}, std::size_t repeats = 9);

/// Rate at which all threads together read memory that no cache holds, in 10^9 bytes a second, median as above.
double measure_stream_gbps(ThreadPool& pool, std::size_t repeats = 5);

} // namespace permafrost::tensor
