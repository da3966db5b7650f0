// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/output_head.h"

#include "core/tensor/decode.h"
#include "core/tensor/elementwise.h"

#include <algorithm>

namespace permafrost::model {
namespace {

constexpr std::size_t panel_tokens = 4096; // vocabulary entries decoded at a time

bool decode_panel(const tensor::TensorView& view, std::size_t first, tensor::PackedMatrix& target,
                  std::vector<tensor::AlignedBuffer<float>>& buffers, ThreadPool& pool,
                  const std::stop_token& stop) {
    return pool.parallel_for(
        target.panels(),
        [&](std::size_t panel, std::size_t thread) {
            const auto row = panel * target.panel_rows();
            const auto rows = std::min(target.panel_rows(), target.rows() - row);
            auto& buffer = buffers[thread];
            buffer.ensure(rows * target.depth());
            tensor::decode_rows(view, first + row, rows, buffer.data());
            target.pack_panel(panel, {buffer.data(), rows, target.depth(), target.depth()});
        },
        stop);
}

} // namespace

bool for_each_logit_panel(Forward& forward, std::span<const std::size_t> rows, std::size_t branches,
                          const std::function<void(const LogitPanel&)>& consume,
                          const std::stop_token& stop) {
    const auto& config = forward.config();
    const std::size_t hidden = config.hidden;
    const auto* output = forward.file().find(config.tied_output ? "token_embd.weight" : "output.weight");
    const auto* norm = forward.file().find("output_norm.weight");
    std::vector<float> norm_weight(hidden);
    tensor::decode(norm->type, norm->bytes.data(), norm_weight.data(), hidden);

    std::vector<tensor::PackedMatrix> normed; // (tile, branch)
    tensor::AlignedBuffer<float> buffer;
    for (std::size_t tile = 0; tile < rows.size(); ++tile)
        for (std::size_t branch = 0; branch < branches; ++branch) {
            const auto states = forward.hidden(tile, branch);
            buffer.ensure(std::max<std::size_t>(1, rows[tile]) * hidden);
            for (std::size_t i = 0; i < rows[tile]; ++i)
                tensor::rms_norm(states.data + i * states.stride, norm_weight.data(), config.norm_epsilon,
                                 hidden, buffer.data() + i * hidden);
            normed.emplace_back(tensor::Side::Left).pack({buffer.data(), rows[tile], hidden, hidden});
        }

    tensor::PackedMatrix weights(tensor::Side::Right);
    std::vector<tensor::AlignedBuffer<float>> decoded(forward.pool().threads()),
        logits(forward.pool().threads());
    for (std::size_t first = 0; first < config.vocabulary; first += panel_tokens) {
        const auto count = std::min<std::size_t>(panel_tokens, config.vocabulary - first);
        weights.resize(count, hidden);
        if (!decode_panel(*output, first, weights, decoded, forward.pool(), stop)) return false;
        const bool done = forward.pool().parallel_for(
            rows.size(),
            [&](std::size_t tile, std::size_t thread) {
                if (rows[tile] == 0) return;
                logits[thread].ensure(branches * rows[tile] * count);
                std::vector<tensor::ConstMatrixView> views;
                for (std::size_t branch = 0; branch < branches; ++branch) {
                    const tensor::MatrixView panel{logits[thread].data() + branch * rows[tile] * count,
                                                   rows[tile], count, count};
                    tensor::multiply(normed[tile * branches + branch], weights, panel, false, stop);
                    if (stop.stop_requested()) return;
                    if (config.final_softcap != 0)
                        tensor::softcap(panel.data, config.final_softcap, panel.rows * panel.columns);
                    views.push_back(panel);
                }
                consume({tile, first, views});
            },
            stop);
        if (!done) return false;
    }
    return true;
}

} // namespace permafrost::model
