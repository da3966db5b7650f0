// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/output_head.h"

#include "core/tensor/decode.h"
#include "core/tensor/elementwise.h"

#include <algorithm>

namespace permafrost::model {
namespace {

constexpr std::size_t panel_tokens = 4096; // vocabulary entries decoded at a time

bool decode_panel(const tensor::TensorView& view, std::size_t first, std::size_t count, float* target,
                  ThreadPool& pool, const std::stop_token& stop) {
    constexpr std::size_t step = 64;
    return pool.parallel_for((count + step - 1) / step,
                             [&](std::size_t index, std::size_t) {
                                 const auto row = index * step;
                                 tensor::decode_rows(view, first + row, std::min(step, count - row),
                                                     target + row * view.columns());
                             },
                             stop);
}

} // namespace

bool for_each_logit_panel(Forward& forward, std::span<const std::vector<std::uint32_t>> rows,
                          const std::function<void(const LogitPanel&)>& consume,
                          const std::stop_token& stop) {
    const auto& config = forward.config();
    const std::size_t hidden = config.hidden;
    const auto* output = forward.file().find(config.tied_output ? "token_embd.weight" : "output.weight");
    const auto* norm = forward.file().find("output_norm.weight");
    std::vector<float> norm_weight(hidden);
    tensor::decode(norm->type, norm->bytes.data(), norm_weight.data(), hidden);

    std::vector<tensor::AlignedBuffer<float>> normed;
    for (std::size_t tile = 0; tile < rows.size(); ++tile) {
        const auto states = forward.hidden(tile);
        auto& target = normed.emplace_back(std::max<std::size_t>(1, rows[tile].size()) * hidden);
        for (std::size_t i = 0; i < rows[tile].size(); ++i)
            tensor::rms_norm(states.data + rows[tile][i] * states.stride, norm_weight.data(),
                             config.norm_epsilon, hidden, target.data() + i * hidden);
    }

    tensor::AlignedBuffer<float> weights(panel_tokens * hidden);
    std::vector<tensor::AlignedBuffer<float>> logits(forward.pool().threads());
    for (std::size_t first = 0; first < config.vocabulary; first += panel_tokens) {
        const auto count = std::min(panel_tokens, config.vocabulary - first);
        if (!decode_panel(*output, first, count, weights.data(), forward.pool(), stop)) return false;
        const bool done = forward.pool().parallel_for(
            rows.size(),
            [&](std::size_t tile, std::size_t thread) {
                if (rows[tile].empty()) return;
                auto& buffer = logits[thread];
                buffer.ensure(rows[tile].size() * count);
                const tensor::MatrixView panel{buffer.data(), rows[tile].size(), count, count};
                tensor::multiply_transposed({normed[tile].data(), rows[tile].size(), hidden, hidden},
                                            {weights.data(), count, hidden, hidden}, panel, false, stop);
                if (!stop.stop_requested()) consume({tile, first, panel});
            },
            stop);
        if (!done) return false;
    }
    return true;
}

} // namespace permafrost::model
