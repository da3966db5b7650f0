// SPDX-License-Identifier: GPL-3.0-or-later
//
// One gated feed-forward layer for one token, from its weights as they are stored: what generating text spends its time on.
//   y = down * (activation(gate * x) .* (up * x))
#pragma once

#include "core/base/thread_pool.h"
#include "core/model/gate_activation.h"
#include "core/tensor/row_kernel.h"
#include "core/tensor/tensor_view.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace permafrost::model {

/// The matrices of a layer: gate and up (neurons, hidden), down (hidden, neurons), each of a type of its own.
struct FfnMatrices {
    tensor::TensorView gate, up, down;
    GateActivation activation = GateActivation::Silu;

    std::size_t hidden() const { return gate.columns(); }
    std::size_t neurons() const { return gate.rows(); }
    std::uint64_t bytes() const { return gate.bytes.size() + up.bytes.size() + down.bytes.size(); }
};

/// Which neurons are computed: rows of gate and up one by one, columns of down by runs.
class ActiveNeurons {
  public:
    struct Run {
        std::size_t first = 0, count = 0;
    };
    /// `frozen`: ascending.
    ActiveNeurons(const FfnMatrices& matrices, std::span<const std::uint32_t> frozen);
    static ActiveNeurons all(const FfnMatrices& matrices) { return {matrices, {}}; }

    std::size_t count() const { return rows_.size(); }
    const std::vector<std::uint32_t>& rows() const { return rows_; } ///< ascending
    /// Whole blocks of the down matrix's type. Shorter gaps than skipping pays for are not left out; their neurons are zero.
    const std::vector<Run>& columns() const { return columns_; }

  private:
    std::vector<std::uint32_t> rows_;
    std::vector<Run> columns_;
};

/// Runs layers; keeps its memory between them.
class FfnRunner {
  public:
    explicit FfnRunner(ThreadPool& pool) : pool_(pool), decoded_(pool.threads()) {}

    // `x` and `y`: (hidden). All compute the same up to the order of sums.

    /// Gate times x, then up times x, then their product, then down.
    void run_two_products(const FfnMatrices& layer, std::span<const float> x, std::span<float> y);
    /// Each neuron's gate and up rows one after the other, so that h is done in one pass; frozen neurons left out.
    void run_fused(const FfnMatrices& layer, const ActiveNeurons& active, std::span<const float> x,
                   std::span<float> y);

  private:
    void multiply(const tensor::TensorView& matrix, std::vector<float>& out);
    void project(const FfnMatrices& layer, const std::vector<std::uint32_t>& neurons);
    void multiply_down(const FfnMatrices& layer, std::span<const ActiveNeurons::Run> columns,
                       std::span<float> y);

    ThreadPool& pool_;
    tensor::RowInput x_, h_;
    std::vector<float> h_values_, up_;
    std::vector<std::vector<float>> decoded_; ///< (thread) a row
};

/// A layer without its frozen neurons, in memory of its own: rows copied, columns gathered and encoded again as their type. Widths are
/// whole blocks of the down matrix's type, filled up with neurons of zeros.
class CompactedFfn {
  public:
    /// `frozen`: ascending. The down matrix's type must be one of tensor::can_encode().
    CompactedFfn(const FfnMatrices& layer, std::span<const std::uint32_t> frozen);
    const FfnMatrices& matrices() const { return matrices_; }

  private:
    std::vector<std::byte> gate_, up_, down_;
    FfnMatrices matrices_;
};

} // namespace permafrost::model
