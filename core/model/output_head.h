// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/forward.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

namespace permafrost::model {

/// A panel of logits: rows are the tile's first rows, columns are vocabulary entries first … first + columns - 1.
struct LogitPanel {
    std::size_t tile_in_wave;
    std::size_t first_token;
    std::span<const tensor::ConstMatrixView> branches; ///< one a branch asked for, all of the same shape
    const tensor::ConstMatrixView& logits() const { return branches.front(); }
};

/// Final norm and output matrix over the first `rows[tile]` rows of each tile of a finished wave, panel of the vocabulary by panel: the panel's weights
/// are decoded once for all tiles and branches, and the logits are never kept whole.
/// `consume` is called by several threads at once, but for one tile the
/// panels come one after another in ascending order. False after a stop.
bool for_each_logit_panel(Forward& forward, std::span<const std::size_t> rows, std::size_t branches,
                          const std::function<void(const LogitPanel&)>& consume,
                          const std::stop_token& stop = {});

} // namespace permafrost::model
