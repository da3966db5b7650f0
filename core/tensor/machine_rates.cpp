// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/machine_rates.h"

#include "core/tensor/aligned_buffer.h"
#include "core/tensor/product.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace permafrost::tensor {
namespace {

double median_seconds(std::size_t repeats, const std::function<void()>& work) {
    work();
    std::vector<double> seconds;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, repeats); ++i) {
        const auto began = std::chrono::steady_clock::now();
        work();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return *middle;
}

void fill(AlignedBuffer<float>& buffer) {
    for (std::size_t i = 0; i < buffer.size(); ++i) buffer[i] = static_cast<float>(i % 251) / 251.0f - 0.5f;
}

} // namespace

double measure_product_gflops(ThreadPool& pool, const ProductShape& shape, std::size_t repeats) {
    const auto threads = pool.threads();
    const auto columns = (shape.columns + threads - 1) / threads;
    AlignedBuffer<float> x(shape.rows * shape.inner), w(columns * shape.inner), y(shape.rows * shape.columns);
    fill(x);
    fill(w);
    PackedMatrix packed_w(Side::Right);
    packed_w.pack({w.data(), columns, shape.inner, shape.inner});
    std::vector<PackedMatrix> packed_x;
    for (std::size_t i = 0; i < threads; ++i) packed_x.emplace_back(Side::Left);
    const double seconds = median_seconds(repeats, [&] {
        pool.parallel_for(threads, [&](std::size_t index, std::size_t) {
            const auto first = std::min(index * columns, shape.columns);
            const auto count = std::min(columns, shape.columns - first);
            packed_x[index].pack({x.data(), shape.rows, shape.inner, shape.inner});
            multiply(packed_x[index], packed_w, {y.data() + first, shape.rows, count, shape.columns});
        });
    });
    return product_operations(shape.rows, shape.inner, shape.columns) / seconds / 1e9;
}

double measure_stream_gbps(ThreadPool& pool, std::size_t repeats) {
    constexpr std::size_t floats = std::size_t{1} << 26; // 256 MiB
    AlignedBuffer<float> memory(floats);
    fill(memory);
    const auto threads = pool.threads();
    std::vector<double> sums(threads);
    const double seconds = median_seconds(repeats, [&] {
        pool.parallel_for(threads, [&](std::size_t index, std::size_t) {
            constexpr std::size_t lanes = 64;
            float parts[lanes] = {};
            const auto share = floats / threads / lanes * lanes;
            const float* part = memory.data() + index * share;
            for (std::size_t i = 0; i < share; i += lanes)
                for (std::size_t lane = 0; lane < lanes; ++lane) parts[lane] += part[i + lane];
            for (const float sum : parts) sums[index] += static_cast<double>(sum);
        });
    });
    return static_cast<double>(floats / threads * threads) * sizeof(float) / seconds / 1e9;
}

} // namespace permafrost::tensor
